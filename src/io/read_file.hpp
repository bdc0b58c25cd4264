// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Reads a whole text file, plain or gzip (told apart by the first two bytes, not by the name).
// It does not interpret the text. Every error names the file and the reason.
#pragma once

#include <string>

#include "autoshard/error.hpp"

namespace autoshard::internal {

/// Errors: missing, a directory, unreadable, truncated or corrupt gzip, bytes after the gzip
/// stream, or more than 4 GiB of text (a small archive can unpack to anything).
Result<std::string> read_text_file(const std::string& path);

}  // namespace autoshard::internal
