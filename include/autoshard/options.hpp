// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// The options of a solve by name and as text. One table feeds the C API, the Python keywords, the
// flags of the command and docs/options.md. It reads values; what an option does is said where its
// field is declared (intra_op.hpp, solve.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "autoshard/error.hpp"
#include "autoshard/intra_op.hpp"

namespace autoshard {

struct OptionDescription {
  std::string_view name;           ///< "memory_limit"; the command's flag is --memory-limit
  std::string_view type;           ///< "bytes", "seconds", "integer", "number", "name", "text"
  std::string_view unit;           ///< of a value without a suffix
  std::string_view default_value;  ///< as text
  std::string_view range;
  std::string_view help;      ///< one sentence
  bool of_cost_graph = true;  ///< also an option of `solve` on a bare cost graph
  bool repeats = false;       ///< may be set several times; each adds to what was set before
};

/// Every option, in the order in which they are listed.
std::span<const OptionDescription> option_table();

/// Sets one option from text, or adds to one that repeats. Errors: not_found for an unknown name
/// (with the list of names), invalid_argument for a malformed value or one out of range; both name
/// the option.
Result<void> set_option(IntraOpOptions& options, std::string_view name, std::string_view value);

/// "16GB", "1.5GiB", "4096": KB, MB, GB, TB are powers of 1000, KiB ... TiB powers of 1024.
Result<std::int64_t> parse_bytes(std::string_view text);

/// docs/options.md.
std::string options_markdown();

}  // namespace autoshard
