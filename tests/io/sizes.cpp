// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "autoshard/options.hpp"

using namespace autoshard;

namespace {

std::int64_t bytes(std::string_view text) {
  const Result<std::int64_t> found = parse_bytes(text);
  REQUIRE_MESSAGE(found.ok(), std::string(text));
  return *found;
}

}  // namespace

TEST_CASE("sizes are powers of 1000 or of 1024, and bare numbers bytes") {
  CHECK(bytes("4096") == 4096);
  CHECK(bytes("4096B") == 4096);
  CHECK(bytes("1.5KB") == 1500);
  CHECK(bytes("16GB") == 16'000'000'000);
  CHECK(bytes("1.5GiB") == 1'610'612'736);
}

TEST_CASE("a size is read as reports print it") { CHECK(bytes("100kB") == 100'000); }

TEST_CASE("what is no size is refused") {
  for (const char* text : {"", "GB", "16 GB", "-1", "1e30TB", "16gb", "nan"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_bytes(text).ok());
  }
}
