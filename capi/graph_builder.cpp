// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "autoshard/graph_builder.hpp"

#include <algorithm>

#include "base/parse_type.hpp"
#include "guard.hpp"
#include "handles.hpp"

using namespace autoshard;
using internal::invalid;
using internal::Required;

namespace {

/// Asks the C++ builder for the mistake that it has kept, if any.
Result<void> first_mistake(autoshard_graph_builder& handle) {
  if (!handle.builder.failed()) return {};
  const Result<Graph> built = std::move(handle.builder).build();
  return built.ok() ? internal::internal_error("builder: failed without a reason") : built.error();
}

/// Every call on a builder: repeats the first failure, and keeps it when it happens.
template <class Body>
int32_t record(autoshard_graph_builder* handle, std::initializer_list<Required> required,
               Body&& body) noexcept {
  const int32_t status = internal::run({{"builder", handle}}, [] { return Result<void>(); });
  if (status != AUTOSHARD_OK) return status;
  return internal::run(required, [&]() -> Result<void> {
    if (handle->error) return *handle->error;
    Result<void> result = body();
    if (result.ok()) result = first_mistake(*handle);
    if (!result.ok()) handle->error = result.error();
    return result;
  });
}

/// Sets a part of the operator that is being described.
template <class Body>
int32_t describe(autoshard_graph_builder* handle, std::initializer_list<Required> required,
                 Body&& body) noexcept {
  return record(handle, required, [&]() -> Result<void> {
    if (!handle->next) return invalid("builder: no operator has been begun");
    return body(*handle->next);
  });
}

template <class T>
int32_t set_attribute(autoshard_graph_builder* handle, const char* attribute, T value) noexcept {
  return describe(handle, {{"attribute", attribute}}, [&](OperatorSpec& next) -> Result<void> {
    next.attributes[attribute] = Attribute(std::move(value));
    return {};
  });
}

template <class T>
int32_t set_list(autoshard_graph_builder* handle, const char* attribute, const T* values,
                 size_t count) noexcept {
  const void* checked = count > 0 ? static_cast<const void*>(values) : handle;
  return describe(handle, {{"attribute", attribute}, {"values", checked}},
                  [&](OperatorSpec& next) -> Result<void> {
                    next.attributes[attribute] = std::vector<T>(values, values + count);
                    return {};
                  });
}

Result<TensorType> read_type(std::string_view owner, const char* text) {
  const std::optional<TensorType> type = internal::parse_type(text);
  if (!type) return invalid("{}: '{}' is not a type like f32[8,1024]", owner, text);
  return *type;
}

std::string described(const OperatorSpec& spec) {
  return fmt::format("operator '{}'", spec.name.empty() ? spec.kind : spec.name);
}

std::vector<TensorId> tensors(const autoshard_tensor* ids, size_t count) {
  std::vector<TensorId> list(count);
  for (size_t i = 0; i < count; ++i) list[i].value = ids[i];
  return list;
}

/// After a mistake the builder may hand out fewer ids than asked for.
void lend(const std::vector<TensorId>& ids, size_t count, autoshard_tensor* out) {
  for (size_t i = 0; i < std::min(count, ids.size()); ++i) out[i] = ids[i].value;
}

Result<void> check_count(const OperatorSpec& next, size_t expected, size_t count,
                         std::string_view of) {
  if (expected == count) return {};
  return invalid("{}: count is {} for {} {}", described(next), count, expected, of);
}

/// The described operator, which the caller then owns.
OperatorSpec take_next(autoshard_graph_builder& handle) {
  OperatorSpec next = *std::move(handle.next);
  handle.next.reset();
  return next;
}

/// A pointer that may be null when there is nothing to point to.
const void* unless_empty(const void* pointer, size_t count, const void* other) {
  return count > 0 ? pointer : other;
}

}  // namespace

int32_t autoshard_graph_builder_create(const char* name, autoshard_graph_builder** out) {
  return internal::create(out, {{"name", name}}, [&] { return Result<std::string>(name); });
}

void autoshard_graph_builder_destroy(autoshard_graph_builder** builder) {
  internal::destroy(builder);
}

int32_t autoshard_graph_builder_argument(autoshard_graph_builder* builder, const char* name,
                                         const char* type, const char* role,
                                         autoshard_tensor* out) {
  const std::initializer_list<Required> required = {
      {"name", name}, {"type", type}, {"role", role}, {"out", out}};
  return record(builder, required, [&]() -> Result<void> {
    AUTOSHARD_TRY(TensorType read, read_type(fmt::format("argument '{}'", name), type));
    const std::optional<Role> known = parse_role(role);
    if (!known) return invalid("argument '{}': '{}' is not a role", name, role);
    *out = builder->builder.argument(name, std::move(read), *known).value;
    return {};
  });
}

int32_t autoshard_graph_builder_operator(autoshard_graph_builder* builder, const char* kind,
                                         const char* name, const autoshard_tensor* operands,
                                         size_t count) {
  return record(builder, {{"kind", kind}, {"operands", unless_empty(operands, count, builder)}},
                [&]() -> Result<void> {
                  if (builder->next) {
                    return invalid("{}: has not been added", described(*builder->next));
                  }
                  builder->next.emplace();
                  builder->next->name = name ? name : "";
                  builder->next->kind = kind;
                  builder->next->operands = tensors(operands, count);
                  return {};
                });
}

int32_t autoshard_graph_builder_result_type(autoshard_graph_builder* builder, const char* type) {
  return describe(builder, {{"type", type}}, [&](OperatorSpec& next) -> Result<void> {
    AUTOSHARD_TRY(TensorType read, read_type(described(next), type));
    next.result_types.push_back(std::move(read));
    return {};
  });
}

int32_t autoshard_graph_builder_phase(autoshard_graph_builder* builder, const char* phase) {
  return describe(builder, {{"phase", phase}}, [&](OperatorSpec& next) -> Result<void> {
    const std::optional<Phase> known = parse_phase(phase);
    if (!known) return invalid("{}: '{}' is not a phase", described(next), phase);
    next.phase = *known;
    return {};
  });
}

int32_t autoshard_graph_builder_integer(autoshard_graph_builder* builder, const char* attribute,
                                        int64_t value) {
  return set_attribute(builder, attribute, value);
}

int32_t autoshard_graph_builder_number(autoshard_graph_builder* builder, const char* attribute,
                                       double value) {
  return set_attribute(builder, attribute, value);
}

int32_t autoshard_graph_builder_text(autoshard_graph_builder* builder, const char* attribute,
                                     const char* value) {
  return describe(builder, {{"attribute", attribute}, {"value", value}},
                  [&](OperatorSpec& next) -> Result<void> {
                    next.attributes[attribute] = std::string(value);
                    return {};
                  });
}

int32_t autoshard_graph_builder_integers(autoshard_graph_builder* builder, const char* attribute,
                                         const int64_t* values, size_t count) {
  return set_list(builder, attribute, values, count);
}

int32_t autoshard_graph_builder_numbers(autoshard_graph_builder* builder, const char* attribute,
                                        const double* values, size_t count) {
  return set_list(builder, attribute, values, count);
}

int32_t autoshard_graph_builder_add(autoshard_graph_builder* builder, size_t count,
                                    autoshard_tensor* results) {
  return describe(
      builder, {{"results", unless_empty(results, count, builder)}},
      [&](OperatorSpec& next) -> Result<void> {
        AUTOSHARD_CHECK_OK(check_count(next, next.result_types.size(), count, "result types"));
        lend(builder->builder.add(take_next(*builder)), count, results);
        return {};
      });
}

int32_t autoshard_graph_builder_begin_loop(autoshard_graph_builder* builder, size_t count,
                                           autoshard_tensor* arguments) {
  return describe(
      builder, {{"arguments", unless_empty(arguments, count, builder)}},
      [&](OperatorSpec& next) -> Result<void> {
        AUTOSHARD_CHECK_OK(check_count(next, next.operands.size(), count, "carried values"));
        lend(builder->builder.begin_loop(take_next(*builder)).arguments, count, arguments);
        return {};
      });
}

int32_t autoshard_graph_builder_end_loop(autoshard_graph_builder* builder,
                                         const autoshard_tensor* next, size_t count,
                                         autoshard_tensor* results) {
  return record(builder,
                {{"next", unless_empty(next, count, builder)},
                 {"results", unless_empty(results, count, builder)}},
                [&]() -> Result<void> {
                  lend(builder->builder.end_loop(tensors(next, count)), count, results);
                  return {};
                });
}

int32_t autoshard_graph_builder_result(autoshard_graph_builder* builder, autoshard_tensor tensor) {
  return record(builder, {}, [&]() -> Result<void> {
    builder->builder.result(tensors(&tensor, 1).front());
    return {};
  });
}

int32_t autoshard_graph_builder_state_pair(autoshard_graph_builder* builder,
                                           autoshard_tensor argument, int32_t result) {
  return record(builder, {}, [&]() -> Result<void> {
    builder->builder.state_pair(tensors(&argument, 1).front(), result);
    return {};
  });
}

int32_t autoshard_graph_builder_infer_training_roles(autoshard_graph_builder* builder) {
  return record(builder, {}, [&]() -> Result<void> {
    builder->builder.infer_training_roles();
    return {};
  });
}

int32_t autoshard_graph_builder_build(autoshard_graph_builder* builder, autoshard_graph** out) {
  if (out) *out = nullptr;
  return record(builder, {{"out", out}}, [&]() -> Result<void> {
    if (builder->next) return invalid("{}: has not been added", described(*builder->next));
    AUTOSHARD_TRY(Graph graph, std::move(builder->builder).build());
    *out = new autoshard_graph(std::move(graph));
    builder->error = invalid("builder: the graph has been built");
    return {};
  });
}
