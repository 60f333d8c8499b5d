// SPDX-License-Identifier: Apache-2.0
#include "core/base/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <format>
#include <limits>

#include "core/base/file.h"

namespace kernelgen {

namespace {

constexpr std::size_t piece_bytes = 256 * 1024;
constexpr int gzip_only = 16 + MAX_WBITS;

/// Ends zlib's state where it leaves the scope.
class Inflation {
public:
    Inflation() { is_begun_ = inflateInit2(&stream_, gzip_only) == Z_OK; }
    Inflation(const Inflation&) = delete;
    Inflation& operator=(const Inflation&) = delete;
    ~Inflation() { inflateEnd(&stream_); }

    bool is_begun() const { return is_begun_; }
    z_stream& stream() { return stream_; }

private:
    z_stream stream_ = {};
    bool is_begun_ = false;
};

}  // namespace

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

Result<std::string> gunzip(std::string_view bytes, std::uint64_t limit_bytes) {
    Inflation inflation;
    if (!inflation.is_begun() || bytes.size() > std::numeric_limits<uInt>::max())
        return fail("is too large to be unpacked; unpack it first, with gunzip");
    z_stream& stream = inflation.stream();
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // zlib does not write to it
    stream.avail_in = static_cast<uInt>(bytes.size());
    std::string text, piece(piece_bytes, '\0');
    for (;;) {
        stream.next_out = reinterpret_cast<Bytef*>(piece.data());
        stream.avail_out = static_cast<uInt>(piece.size());
        const int state = inflate(&stream, Z_NO_FLUSH);
        text.append(piece, 0, piece.size() - stream.avail_out);
        if (text.size() > limit_bytes) return fail(say("holds more than {} MiB", limit_bytes >> 20));
        if (state == Z_STREAM_END && stream.avail_in == 0) return text;
        if (state == Z_STREAM_END && inflateReset(&stream) == Z_OK) continue;
        if (state != Z_OK) return fail("is a gzip file that is damaged or cut; fetch it again");
    }
}

Result<std::string> read_unpacked(const std::filesystem::path& path, std::uint64_t limit_bytes) {
    Result<std::string> bytes = read_file(path, limit_bytes);
    if (!bytes || !is_gzip(*bytes)) return bytes;
    Result<std::string> text = gunzip(*bytes, limit_bytes);
    return text ? text : fail(say("{} {}", path.string(), text.error().message));
}

}  // namespace kernelgen
