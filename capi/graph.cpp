// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "autoshard/graph_io.hpp"
#include "guard.hpp"
#include "handles.hpp"

using namespace autoshard;

int32_t autoshard_graph_parse_json(const char* text, autoshard_graph** out) {
  return internal::create(out, {{"text", text}}, [&] { return parse_graph_json(text); });
}

int32_t autoshard_graph_parse_hlo(const char* text, autoshard_graph** out) {
  return internal::create(out, {{"text", text}}, [&] { return parse_hlo(text); });
}

int32_t autoshard_graph_load(const char* path, autoshard_graph** out) {
  return internal::create(out, {{"path", path}}, [&] { return load_graph(path); });
}

int32_t autoshard_graph_json(const autoshard_graph* graph, const char** out) {
  return internal::run({{"graph", graph}, {"out", out}}, [&]() -> Result<void> {
    *out = graph->json.get([&] { return write_graph_json(*graph->graph); });
    return {};
  });
}

int32_t autoshard_graph_fingerprint(const autoshard_graph* graph, const char** out) {
  return internal::run({{"graph", graph}, {"out", out}}, [&]() -> Result<void> {
    *out = graph->fingerprint.get([&] { return graph->graph->fingerprint(); });
    return {};
  });
}

void autoshard_graph_destroy(autoshard_graph** graph) { internal::destroy(graph); }
