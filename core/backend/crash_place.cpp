// SPDX-License-Identifier: Apache-2.0
#include "core/backend/crash_place.h"

#include <algorithm>
#include <array>
#include <format>
#include <optional>

namespace kernelgen {
namespace {

struct DumpedFrame {
    std::string_view path, line, function;
};

std::optional<DumpedFrame> read_frame(std::string_view text) {
    constexpr std::string_view before = "  File \"", between = "\", line ", behind = " in ";
    if (!text.starts_with(before)) return std::nullopt;
    text.remove_prefix(before.size());
    const std::size_t path = text.rfind(between);
    if (path == std::string_view::npos) return std::nullopt;
    const std::string_view rest = text.substr(path + between.size());
    const std::size_t line = rest.find(behind);
    if (line == std::string_view::npos || line == 0) return std::nullopt;
    if (!std::ranges::all_of(rest.substr(0, line), [](char c) { return c >= '0' && c <= '9'; })) return std::nullopt;
    return DumpedFrame{text.substr(0, path), rest.substr(0, line), rest.substr(line + behind.size())};
}

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// Whether a file is Python's, a package's or KernelGen's.
bool is_installed(std::string_view path) {
    constexpr std::array parts = {"/site-packages/", "/dist-packages/", "/lib/python3", "/torchinductor_", "<frozen "};
    return file_name(path).starts_with("kernelgen_") ||
           std::ranges::any_of(parts, [&](std::string_view part) { return path.contains(part); });
}

}  // namespace

std::string crash_place(std::string_view printed) {
    const std::size_t fatal = printed.rfind("Fatal Python error:");
    if (fatal == std::string_view::npos) return {};
    constexpr std::string_view head = "first):";  // "Stack (most recent call first):"
    const std::size_t dump = printed.find(head, fatal);
    if (dump == std::string_view::npos) return {};
    std::string_view left = printed.substr(dump + head.size());
    while (left.starts_with('\n')) {
        left.remove_prefix(1);
        const std::string_view text = left.substr(0, left.find('\n'));
        const std::optional<DumpedFrame> frame = read_frame(text);
        if (!frame) return {};
        if (!is_installed(frame->path)) {
            constexpr std::size_t longest = 200;
            std::string place = std::format("{}:{}, in {}", file_name(frame->path), frame->line, frame->function);
            std::ranges::replace_if(place, [](unsigned char c) { return c < ' ' || c >= 0x7f; }, '?');
            return place.substr(0, longest);
        }
        left.remove_prefix(text.size());
    }
    return {};
}

}  // namespace kernelgen
