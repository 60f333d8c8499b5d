// SPDX-License-Identifier: Apache-2.0
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <format>
#include <numeric>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/base/sentences.h"

namespace kernelgen {
namespace {

/// Damerau-Levenshtein distance (optimal string alignment): insertions, deletions, substitutions, neighbours swapped.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1), previous(b.size() + 1), current(b.size() + 1);
    std::iota(previous.begin(), previous.end(), 0);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        current[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t substituted = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            current[j] = std::min({previous[j] + 1, current[j - 1] + 1, substituted});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) current[j] = std::min(current[j], before[j - 2] + 1);
        }
        std::swap(before, previous);
        std::swap(previous, current);
    }
    return previous[b.size()];
}

template <class T>
bool parse_whole(std::string_view text, T& value) {
    text = trim(text);
    if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
    const char* end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, value);
    return error == std::errc() && stopped == end && !text.empty();
}

}  // namespace

Said did_you_mean(std::string_view word, std::span<const std::string> known) {
    if (word.empty() || word.size() > 64) return "";
    const std::string* nearest = nullptr;
    std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
    for (const std::string& candidate : known) {
        const std::size_t distance = edit_distance(word, candidate);
        if (distance < least && distance < std::max(word.size(), candidate.size())) {
            least = distance;
            nearest = &candidate;
        }
    }
    return nearest ? say(sentences::did_you_mean, *nearest) : "";
}

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    while (true) {
        const std::size_t end = text.find(separator);
        parts.emplace_back(text.substr(0, end));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
    std::string text;
    for (const std::string& part : parts) {
        if (&part != parts.data()) text += separator;
        text += part;
    }
    return text;
}

std::string_view first_line(std::string_view text) { return text.substr(0, text.find('\n')); }

std::string_view trim(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n\f\v";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

bool parse_integer(std::string_view text, long long& value) { return parse_whole(text, value); }
bool parse_number(std::string_view text, double& value) { return parse_whole(text, value); }

std::string hash_hex(std::string_view bytes) {
    const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
    return std::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::string with_si_prefix(double value, std::string_view unit) {
    if (value == 0 || !std::isfinite(value)) return std::format("{:.3g} {}", value, unit);
    constexpr std::array<std::string_view, 11> prefixes = {"p", "n", "µ", "m", "", "k", "M", "G", "T", "P", "E"};
    const double rounded = std::stod(std::format("{:.2e}", value));  // so that 999.9 becomes 1.00 k
    const int step = std::clamp(static_cast<int>(std::floor(std::log10(std::abs(rounded)) / 3)), -4, 6);
    const double scaled = rounded / std::pow(10.0, 3 * step);
    const int digits = std::abs(scaled) >= 99.95 ? 0 : std::abs(scaled) >= 9.995 ? 1 : 2;
    return std::format("{:.{}f} {}{}", scaled, digits, prefixes[static_cast<std::size_t>(step + 4)], unit);
}

std::string now_utc() {
    return std::format("{:%FT%TZ}", std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()));
}

}  // namespace kernelgen
