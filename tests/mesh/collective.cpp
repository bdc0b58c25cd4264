// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "autoshard/collective.hpp"

#include <doctest/doctest.h>

#include "autoshard/target.hpp"

using namespace autoshard;

namespace {

constexpr CollectiveKind kAll[] = {CollectiveKind::all_reduce,         CollectiveKind::all_gather,
                                   CollectiveKind::reduce_scatter,     CollectiveKind::all_to_all,
                                   CollectiveKind::collective_permute, CollectiveKind::slice};

std::int64_t sent(CollectiveKind kind, std::int64_t group, std::int64_t bytes) {
  Collective collective;
  collective.kind = kind;
  collective.group_size = group;
  collective.buffer_bytes = bytes;
  return sent_bytes_per_device(collective);
}

}  // namespace

TEST_CASE("a device sends what the ring formulas say") {
  for (std::int64_t n : {2, 3, 4, 7, 8}) {
    CAPTURE(n);
    const std::int64_t bytes = 840 * n;
    CHECK(sent(CollectiveKind::all_reduce, n, bytes) == 2 * 840 * (n - 1));
    CHECK(sent(CollectiveKind::all_gather, n, bytes) == 840 * (n - 1));
    CHECK(sent(CollectiveKind::reduce_scatter, n, bytes) == 840 * (n - 1));
    CHECK(sent(CollectiveKind::all_to_all, n, bytes) == 840 * (n - 1));
    CHECK(sent(CollectiveKind::collective_permute, n, bytes) == bytes);
    CHECK(sent(CollectiveKind::slice, n, bytes) == 0);
  }
}

TEST_CASE("a buffer that the group does not divide is sent in shares rounded up") {
  CHECK(sent(CollectiveKind::all_gather, 4, 10) == 9);
  CHECK(sent(CollectiveKind::all_reduce, 4, 10) == 18);
}

TEST_CASE("buffers of terabytes are counted without overflow") {
  const std::int64_t bytes = std::int64_t{1} << 60;
  CHECK(sent(CollectiveKind::all_reduce, 8, bytes) == 2 * 7 * (bytes / 8));
}

TEST_CASE("a group of one, or an empty buffer, sends nothing but a permute's piece") {
  for (CollectiveKind kind : kAll) {
    CHECK(sent(kind, 1, 64) == (kind == CollectiveKind::collective_permute ? 64 : 0));
    CHECK(sent(kind, 4, 0) == 0);
  }
}

TEST_CASE("every kind of collective is read back from its name") {
  for (CollectiveKind kind : kAll) CHECK(parse_collective(name(kind)) == kind);
  CHECK(name(CollectiveKind::reduce_scatter) == "reduce-scatter");
  for (const char* text : {"", "allreduce", "all_reduce", "All-Reduce", "broadcast"}) {
    CHECK_FALSE(parse_collective(text));
  }
}

TEST_CASE("the interpreter holds everything, other engines less") {
  const Target interpreter = *find_target("interpreter");
  CHECK(interpreter.partial_between_operators);
  CHECK(interpreter.reduce_scatter);
  CHECK(interpreter.uneven_arguments);
  CHECK(interpreter.uneven_intermediates);
  CHECK(interpreter.sub_axes);
  const Target xla = *find_target("xla");
  CHECK(xla.name == "xla");
  CHECK_FALSE(xla.partial_between_operators);
  CHECK_FALSE(xla.uneven_arguments);
  CHECK(find_target("dtensor")->name == "dtensor");
}

TEST_CASE("an unknown target is answered with the list of known ones") {
  const auto target = find_target("telegraph");
  REQUIRE_FALSE(target.ok());
  CHECK(target.error().code == ErrorCode::not_found);
  CHECK(target.error().message ==
        "target 'telegraph' is not known; known are interpreter, xla, dtensor");
}
