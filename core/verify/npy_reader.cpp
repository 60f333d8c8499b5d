// SPDX-License-Identifier: Apache-2.0
#include "core/verify/npy_reader.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "core/base/json_reader.h"
#include "core/base/text.h"

namespace kernelgen {
namespace {

constexpr std::string_view npy_magic = "\x93NUMPY";
constexpr std::size_t longest_header = 1 << 16, most_dimensions = 32;

/// Reads the literal of a Python dict that is a header, such as {'descr': '<f4', 'fortran_order': False, 'shape':
/// (3,)}.
class NpyDict {
public:
    explicit NpyDict(std::string_view text) : rest_(text) {}

    bool read();
    std::optional<std::string> descriptor;
    std::optional<bool> fortran_order;
    std::optional<std::vector<std::int64_t>> shape;

private:
    void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\n"), rest_.size())); }
    bool take(std::string_view token) {
        skip_blanks();
        if (!rest_.starts_with(token)) return false;
        rest_.remove_prefix(token.size());
        return true;
    }
    std::optional<std::string> quoted();
    std::optional<std::vector<std::int64_t>> integers();
    bool read_value(const std::string& key);

    std::string_view rest_;
};

std::optional<std::string> NpyDict::quoted() {
    skip_blanks();
    if (rest_.empty() || (rest_[0] != '\'' && rest_[0] != '"')) return std::nullopt;
    const std::size_t end = rest_.find(rest_[0], 1);
    if (end == rest_.npos) return std::nullopt;
    std::string text(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return text;
}

std::optional<std::vector<std::int64_t>> NpyDict::integers() {
    if (!take("(")) return std::nullopt;
    std::vector<std::int64_t> all;
    while (!take(")")) {
        skip_blanks();
        const std::size_t end = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
        long long number = 0;
        if (!parse_integer(rest_.substr(0, end), number) || all.size() == most_dimensions) return std::nullopt;
        all.push_back(number);
        rest_.remove_prefix(end);
        take("L");  // Python 2 wrote it behind long integers
        if (!take(",") && !rest_.starts_with(')')) return std::nullopt;
    }
    return all;
}

bool NpyDict::read_value(const std::string& key) {
    if (key == "shape") return (shape = integers()).has_value();
    if (key == "fortran_order") {
        if (take("True")) fortran_order = true;
        else if (take("False")) fortran_order = false;
        return fortran_order.has_value();
    }
    if (key != "descr") return false;
    skip_blanks();
    if (rest_.starts_with('[')) return false;  // a structure
    return (descriptor = quoted()).has_value();
}

bool NpyDict::read() {
    if (!take("{")) return false;
    while (!take("}")) {
        const std::optional<std::string> key = quoted();
        if (!key || !take(":") || !read_value(*key)) return false;
        take(",");
    }
    return descriptor && fortran_order && shape;
}

std::optional<DType> dtype_of_npy(std::string_view descriptor, bool uint16_is_bf16) {
    if (descriptor == "<f8") return DType::f64;
    if (descriptor == "<f4") return DType::f32;
    if (descriptor == "<f2") return DType::f16;
    if (descriptor == "|V2" || descriptor == "<V2" || descriptor == "bfloat16") return DType::bf16;
    if (descriptor == "<u2" && uint16_is_bf16) return DType::bf16;
    return std::nullopt;
}

/// Why elements of this kind are not read.
Said refusal_of_npy(const std::string& descriptor, const std::string& file) {
    if (descriptor == "<u2")
        return say("{} holds uint16: where these are the bits of bfloat16, say so with --bf16", file);
    const std::string shown = in_backquotes(descriptor);
    if (descriptor.starts_with('>'))
        return say("{} is big-endian ({}): save it as little-endian float16, float32 or float64", file, shown);
    const char kind = descriptor.size() > 1 ? descriptor[1] : ' ';
    if (kind == 'i' || kind == 'u' || kind == 'b')
        return say("{} holds integers ({}), which FP8 has no scale for: save it as float16, float32 or float64", file,
                   shown);
    return say("{} holds elements of type {}; float16, float32, float64 and bfloat16 are read", file, shown);
}

/// The product of the extents; nothing where it does not fit in bytes.
std::optional<std::int64_t> elements_of_shape(const std::vector<std::int64_t>& shape) {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 16;
    if (std::ranges::contains(shape, 0)) return 0;
    std::int64_t product = 1;
    for (const std::int64_t extent : shape) {
        if (extent > most / product) return std::nullopt;
        product *= extent;
    }
    return product;
}

std::unexpected<Error> damaged_npy(std::string_view file, const char* what) {
    return fail(say("{} is damaged: {}; save it again", std::string(file), what));
}

}  // namespace

std::int64_t NpyHeader::elements() const { return elements_of_shape(shape).value_or(0); }

Result<NpyHeader> parse_npy_header(std::string_view bytes, std::string_view file, bool uint16_is_bf16) {
    if (bytes.starts_with("PK\x03\x04"))
        return fail(say("{} holds several arrays: save the one that is asked about as .npy", std::string(file)));
    if (!bytes.starts_with(npy_magic))
        return fail(say("{} is no NumPy file (.npy): it does not begin as one", std::string(file)));
    if (bytes.size() < 12) return damaged_npy(file, "its header is cut");
    const auto byte = [&](std::size_t at) { return static_cast<std::size_t>(static_cast<unsigned char>(bytes[at])); };
    const std::size_t version = byte(6), begin = version == 1 ? 10 : 12;
    if (version < 1 || version > 3)
        return fail(say("{} has format {} of NumPy files; 1 to 3 are read", std::string(file), version));
    const std::size_t size = byte(8) + (byte(9) << 8) + (version == 1 ? 0 : (byte(10) << 16) + (byte(11) << 24));
    if (size > longest_header || bytes.size() < begin + size) return damaged_npy(file, "its header is cut");
    const std::string_view text = bytes.substr(begin, size);
    NpyDict dict(text);
    if (!dict.read()) {
        if (text.contains("'descr': ["))
            return fail(say("{} holds structures; give an array of floating-point numbers", std::string(file)));
        return damaged_npy(file, "its header is not one that NumPy writes");
    }
    const std::optional<DType> dtype = dtype_of_npy(*dict.descriptor, uint16_is_bf16);
    if (!dtype) return fail(refusal_of_npy(*dict.descriptor, std::string(file)));
    if (!elements_of_shape(*dict.shape)) return damaged_npy(file, "its shape has too many elements");
    NpyHeader header{*dtype, *dict.shape, *dict.fortran_order, begin + size};
    if (header.is_reversed) std::ranges::reverse(header.shape);
    return header;
}

Result<NpyReader> NpyReader::open(const std::filesystem::path& path, bool uint16_is_bf16) {
    const std::string name = path.string();
    NpyReader reader(name, ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat info = {};
    if (reader.descriptor_ < 0 || ::fstat(reader.descriptor_, &info) != 0)
        return fail(say("cannot read {}: {}", name, std::strerror(errno)));
    if (!S_ISREG(info.st_mode)) return fail(say("cannot read {}: it is not a regular file", name));
    std::string begin(std::min<std::size_t>(static_cast<std::size_t>(info.st_size), longest_header + 12), '\0');
    if (::pread(reader.descriptor_, begin.data(), begin.size(), 0) != static_cast<ssize_t>(begin.size()))
        return fail(say("cannot read {}: {}", name, std::strerror(errno)));
    Result<NpyHeader> header = parse_npy_header(begin, name, uint16_is_bf16);
    if (!header) return std::unexpected(header.error());
    const std::uint64_t needed = static_cast<std::uint64_t>(header->elements()) * size_of(header->dtype);
    const std::uint64_t there = static_cast<std::uint64_t>(info.st_size) - header->data_at;
    if (there != needed)
        return fail(say("{} is damaged: its shape needs {} bytes of elements, and it has {}; save it again", name,
                        needed, there));
    reader.header_ = *header;
    return reader;
}

NpyReader::NpyReader(NpyReader&& other) noexcept
    : name_(std::move(other.name_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      header_(std::move(other.header_)) {}

NpyReader& NpyReader::operator=(NpyReader&& other) noexcept {
    std::swap(name_, other.name_);
    std::swap(descriptor_, other.descriptor_);
    std::swap(header_, other.header_);
    return *this;
}

NpyReader::~NpyReader() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

Result<void> NpyReader::read(std::int64_t first, std::span<double> values) const {
    const std::size_t size = size_of(header_.dtype);
    std::vector<std::byte> bytes(values.size() * size);
    const auto begin = static_cast<off_t>(header_.data_at + static_cast<std::uint64_t>(first) * size);
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t got =
            ::pread(descriptor_, bytes.data() + done, bytes.size() - done, begin + static_cast<off_t>(done));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return fail(say("cannot read {}: {}", name_, std::strerror(errno)));
        if (got == 0) return fail(say("{} became shorter while it was read", name_));
        done += static_cast<std::size_t>(got);
    }
    decode(header_.dtype, bytes.data(), values);
    return {};
}

}  // namespace kernelgen
