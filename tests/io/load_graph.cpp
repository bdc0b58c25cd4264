// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>

#include "autoshard/graph_io.hpp"
#include "support/step_graphs.hpp"

using namespace autoshard;

namespace {

/// A file that goes when the test is over.
class ScratchFile {
 public:
  ScratchFile(const std::string& name, const std::string& content)
      : path_(std::filesystem::temp_directory_path() / ("autoshard_load_graph_" + name)) {
    std::ofstream(path_, std::ios::binary) << content;
  }
  ScratchFile(const ScratchFile&) = delete;
  ~ScratchFile() { std::filesystem::remove(path_); }

  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

std::string error_of(const std::string& path) {
  const auto graph = load_graph(path);
  return graph.ok() ? "no error" : graph.error().message;
}

}  // namespace

TEST_CASE("a file of graph JSON is read, with space before it or not") {
  const Graph graph = test::built(test::mlp_step());
  for (const std::string space : {"", "\n \t\r\n"}) {
    const ScratchFile file("plain", space + write_graph_json(graph));
    const auto loaded = load_graph(file.path());
    REQUIRE(loaded.ok());
    CHECK(loaded->fingerprint() == graph.fingerprint());
  }
}

TEST_CASE("a compressed file of graph JSON is read whatever its name") {
  const Graph graph = test::built(test::power_loop());
  const ScratchFile file("packed", "");
  const std::string text = write_graph_json(graph);
  gzFile out = gzopen(file.path().c_str(), "wb");
  gzwrite(out, text.data(), static_cast<unsigned>(text.size()));
  gzclose(out);
  const auto loaded = load_graph(file.path());
  REQUIRE(loaded.ok());
  CHECK(loaded->fingerprint() == graph.fingerprint());
}

TEST_CASE("a file that is no graph is named") {
  const ScratchFile empty("empty", "");
  CHECK(error_of(empty.path()) == empty.path() + ": neither graph JSON nor HLO text");
  const ScratchFile prose("prose", "module @jit_f {}");
  CHECK(error_of(prose.path()) == prose.path() + ": neither graph JSON nor HLO text");
  const ScratchFile broken("broken", "\n\n{");
  CHECK(error_of(broken.path()).starts_with(broken.path() + ": JSON: parse error at line 3"));
  const ScratchFile hlo("hlo", "HloModule m\n\nnonsense");
  CHECK(error_of(hlo.path()).starts_with(hlo.path() + ": "));
}

TEST_CASE("a file that is not there is named") {
  const std::string path = "/nonexistent/graph.json";
  CHECK(error_of(path).find(path) != std::string::npos);
}
