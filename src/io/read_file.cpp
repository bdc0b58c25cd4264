// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "io/read_file.hpp"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include "base/errors.hpp"
#include "base/try.hpp"

namespace autoshard::internal {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{4} << 30;
constexpr std::size_t kChunk = std::size_t{1} << 20;
constexpr int kGzipWindow = 15 + 16;  // zlib: largest window, gzip header required

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

Result<std::string> read_bytes(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    return invalid("file '{}': is a directory", path);
  std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rb"));
  if (!file) return not_found("file '{}': {}", path, std::strerror(errno));
  std::string bytes;
  std::vector<char> chunk(kChunk);
  while (const std::size_t count = std::fread(chunk.data(), 1, chunk.size(), file.get())) {
    bytes.append(chunk.data(), count);
    if (bytes.size() > kMaxBytes) return invalid("file '{}': larger than 4 GiB", path);
  }
  if (std::ferror(file.get())) return invalid("file '{}': {}", path, std::strerror(errno));
  return bytes;
}

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

/// Owns zlib's state for one archive; members of a multi-member archive are joined.
class Inflater {
 public:
  Inflater(const std::string& path, const std::string& bytes) : path_(path), bytes_(bytes) {}
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  Result<std::string> run() {
    if (inflateInit2(&stream_, kGzipWindow) != Z_OK) return Error{ErrorCode::out_of_memory, "zlib"};
    do {
      AUTOSHARD_CHECK_OK(one_member());
    } while (next_member());
    if (used_ != bytes_.size()) return invalid("file '{}': bytes after the gzip stream", path_);
    return std::move(text_);
  }

 private:
  Result<void> one_member() {
    for (int code = Z_OK; code != Z_STREAM_END;) {
      const std::size_t before = text_.size();
      feed();
      text_.resize(before + kChunk);
      stream_.next_out = reinterpret_cast<Bytef*>(text_.data() + before);
      stream_.avail_out = static_cast<uInt>(kChunk);
      const uInt fed = stream_.avail_in;
      code = inflate(&stream_, Z_NO_FLUSH);
      used_ += fed - stream_.avail_in;
      text_.resize(before + kChunk - stream_.avail_out);
      if (code == Z_BUF_ERROR && used_ == bytes_.size())
        return invalid("file '{}': truncated gzip", path_);
      if (code != Z_OK && code != Z_STREAM_END) return corrupt();
      if (text_.size() > kMaxBytes) return invalid("file '{}': unpacks to more than 4 GiB", path_);
    }
    return {};
  }

  // zlib counts input in 32 bits, so long archives are fed in pieces.
  void feed() {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes_.data() + used_));
    stream_.avail_in = static_cast<uInt>(std::min(bytes_.size() - used_, kChunk));
  }

  bool next_member() {
    if (!is_gzip(std::string_view(bytes_).substr(used_))) return false;
    return inflateReset(&stream_) == Z_OK;
  }

  Error corrupt() const {
    return invalid("file '{}': corrupt gzip ({})", path_, stream_.msg ? stream_.msg : "bad data");
  }

  const std::string& path_;
  const std::string& bytes_;
  z_stream stream_ = {};
  std::size_t used_ = 0;
  std::string text_;
};

}  // namespace

Result<std::string> read_text_file(const std::string& path) {
  return guarded([&]() -> Result<std::string> {
    AUTOSHARD_TRY(std::string bytes, read_bytes(path));
    if (!is_gzip(bytes)) return bytes;
    return Inflater(path, bytes).run();
  });
}

}  // namespace autoshard::internal
