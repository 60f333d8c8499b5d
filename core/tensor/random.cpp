// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/random.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/tensor/normals.h"

namespace kernelgen {
namespace {

constexpr std::string_view names[] = {"normal",
                                      "zeros",
                                      "ones",
                                      "tiny",
                                      "large",
                                      "wide",
                                      "negative",
                                      "nan",
                                      "inf",
                                      "mixed",
                                      "special",
                                      "large magnitudes",
                                      "large magnified",
                                      "mixed magnitudes"};

double scale_of_normal(DType dtype) { return dtype == DType::i32 ? 1000 : dtype == DType::i8 ? 32 : 1; }

double tiny(std::uint64_t random, double value, DType dtype) {
    return value * std::ldexp(smallest_normal(dtype), static_cast<int>(random % 9) - 4);
}

double large(std::uint64_t random, DType dtype) {
    const double sign = random & 1 ? -1 : 1;
    const double within = 0.5 + 0.5 * static_cast<double>(random >> 40) * 0x1p-24;
    const double largest = largest_finite(dtype);
    return sign * within * (random % 32 < 2 ? largest : std::sqrt(largest));
}

double negative(double value, DType dtype) {
    constexpr double most = -128, spread = 48;
    if (dtype == DType::i8) return std::max(-1 - std::abs(value), -128.0);
    return is_integer(dtype) ? most - std::abs(value) : most - spread * std::abs(value);
}

constexpr std::int64_t least_mixed = 1 << 16;

bool is_pieces(InputSet set) { return set == InputSet::mixed || set == InputSet::mixed_magnitudes; }
bool is_large(InputSet set) { return set == InputSet::large_magnitudes || set == InputSet::large_magnified; }

/// The set from which a piece of `mixed` takes its values.
InputSet set_of_piece(std::uint64_t stream, std::int64_t index) {
    constexpr InputSet others[] = {InputSet::zeros,    InputSet::tiny, InputSet::large,   InputSet::wide,
                                   InputSet::negative, InputSet::nan,  InputSet::infinity};
    const std::uint64_t random = mix(stream + static_cast<std::uint64_t>(index >> 13));
    return random & 1 ? InputSet::normal : others[(random >> 1) % std::size(others)];
}

/// The set from which an element of `special` takes its value.
InputSet set_of_special(std::uint64_t random) {
    constexpr InputSet sets[] = {InputSet::wide,  InputSet::wide,     InputSet::wide, InputSet::wide,
                                 InputSet::zeros, InputSet::negative, InputSet::nan,  InputSet::infinity};
    return sets[mix(random) % std::size(sets)];
}

/// One tensor's values: what the sets have in common.
class Generator {
public:
    Generator(InputSet set, std::uint64_t seed, int tensor, DType dtype, const std::optional<Domain>& domain)
        : set_(set),
          dtype_(dtype),
          stream_(mix(seed * 0x9e3779b97f4a7c15ull + mix(static_cast<std::uint64_t>(tensor) + 1))),
          scale_(scale_of_normal(dtype)),
          domain_(domain) {
        if (domain_) bounds_ = bounds_in(*domain_, dtype_).value_or(Bounds{});
    }

    double operator()(std::int64_t index) const {
        const std::uint64_t random = random_of(stream_, index);
        const InputSet set = set_at(index, random);
        const double value = domain_ ? within_domain(set, random) : unbounded(set, random, index);
        if (set != InputSet::large || set_ == InputSet::large || set_ == InputSet::mixed) return value;
        return std::min(std::abs(value) * (set_ == InputSet::large_magnified ? 0x1p16 : 1), largest_finite(dtype_));
    }

    /// As the operator, for elements of `normal` without a domain.
    void fill_normal(std::int64_t first, std::span<double> values) const {
        standard_normals(stream_, first, values);
        if (scale_ == 1) return;
        for (double& value : values) value *= scale_;
    }

    double in_bounds(double value) const {
        if (domain_->kind == Domain::Kind::integers) value = std::nearbyint(value);
        return std::clamp(value, bounds_.low, bounds_.high);
    }

private:
    InputSet set_at(std::int64_t index, std::uint64_t random) const {
        if (is_pieces(set_)) return set_of_piece(stream_, index);
        if (set_ == InputSet::special) return set_of_special(random);
        return is_large(set_) ? InputSet::large : set_;
    }

    /// Whether NaN or an infinity replaces the value.
    bool is_planted(std::uint64_t random, std::int64_t index) const {
        return set_ == InputSet::special || index == 0 || random % 97 == 0;
    }

    double unbounded(InputSet set, std::uint64_t random, std::int64_t index) const {
        if (set == InputSet::zeros) return 0;
        if (set == InputSet::ones) return 1;
        if (set == InputSet::large) return large(random, dtype_);
        const double value = standard_normal(random) * scale_;
        if (set == InputSet::tiny) return tiny(random, value, dtype_);
        if (set == InputSet::negative) return negative(value, dtype_);
        if (set == InputSet::wide) return random & 1 ? 16 * value : std::nearbyint(32 * value) / 2;
        if (set == InputSet::nan && is_planted(random, index)) return std::numeric_limits<double>::quiet_NaN();
        if (set == InputSet::infinity && is_planted(random, index)) {
            return std::copysign(std::numeric_limits<double>::infinity(), value);
        }
        return value;
    }

    double within_domain(InputSet set, std::uint64_t random) const {
        if (set == InputSet::nan || set == InputSet::infinity) set = InputSet::normal;
        const bool is_extreme = set == InputSet::zeros || set == InputSet::ones || set == InputSet::tiny;
        if (domain_->kind == Domain::Kind::positive) return std::abs(unbounded(set, random, 1));
        if (set == InputSet::large) return random & 1 ? bounds_.low : bounds_.high;
        if (is_extreme) return unbounded(set, random, 1);
        const double share = static_cast<double>(random >> 11) * 0x1p-53;
        if (domain_->kind == Domain::Kind::interval && !is_integer(dtype_)) {
            return bounds_.low * (1 - share) + bounds_.high * share;
        }
        return std::floor(bounds_.low + share * (bounds_.high - bounds_.low + 1));
    }

    InputSet set_;
    DType dtype_;
    std::uint64_t stream_;
    double scale_;
    const std::optional<Domain>& domain_;
    Bounds bounds_;
};

}  // namespace

std::string_view to_string(InputSet set) { return names[static_cast<int>(set)]; }

std::optional<InputSet> parse_input_set(std::string_view name) {
    const auto found = std::ranges::find(names, name);
    if (found == std::end(names)) return std::nullopt;
    return static_cast<InputSet>(found - std::begin(names));
}

void generate(InputSet set, std::uint64_t seed, int tensor, DType dtype, std::int64_t first, std::span<double> values,
              const std::optional<Domain>& domain) {
    const Generator generator(set, seed, tensor, dtype, domain);
    if (set == InputSet::normal && !domain) {
        generator.fill_normal(first, values);
    } else {
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = generator(first + static_cast<std::int64_t>(i));
    }
    if (dtype == DType::f32) {
        for (double& value : values) value = static_cast<float>(value);
    } else if (dtype != DType::f64) {
        for (double& value : values) value = round_to(dtype, value);
    }
    if (!domain) return;
    for (double& value : values) value = generator.in_bounds(value);
}

InputSet set_for(InputSet set, std::int64_t elements) {
    return is_pieces(set) && elements < least_mixed ? InputSet::normal : set;
}

std::span<const InputSet> overflow_probes(InputSet set) {
    static constexpr InputSet of_large[] = {InputSet::large_magnitudes, InputSet::large_magnified};
    static constexpr InputSet of_mixed[] = {InputSet::mixed_magnitudes};
    if (set == InputSet::large) return of_large;
    if (set == InputSet::mixed) return of_mixed;
    return {};
}

}  // namespace kernelgen
