// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/session/tuning_choices.h"

#include <algorithm>

namespace kernelgen::studio {

namespace {

const Tunable* tunableOf(const Variant& variant, const std::string& name) {
    const auto found = std::ranges::find(variant.tunables, name, &Tunable::name);
    return found == variant.tunables.end() ? nullptr : &*found;
}

}  // namespace

bool TuningChoices::takesPart(const Variant& variant, const std::string& tunable, std::int64_t value) const {
    const auto of_variant = left_out_.find(variant.name);
    if (of_variant == left_out_.end()) return true;
    const auto of_tunable = of_variant->second.find(tunable);
    return of_tunable == of_variant->second.end() || !of_tunable->second.contains(value);
}

std::vector<std::int64_t> TuningChoices::chosen(const Variant& variant, const Tunable& tunable) const {
    if (!isTuned(variant, tunable.name)) return {tunable.value};
    std::vector<std::int64_t> values;
    for (const std::int64_t each : tunable.values) {
        if (takesPart(variant, tunable.name, each)) values.push_back(each);
    }
    return values.empty() ? tunable.values : values;
}

void TuningChoices::setTakesPart(const Variant& variant, const std::string& tunable, std::int64_t value,
                                 bool takes_part) {
    const Tunable* found = tunableOf(variant, tunable);
    if (found == nullptr) return;
    const std::vector<std::int64_t> before = chosen(variant, *found);
    std::set<std::int64_t>& left_out = left_out_[variant.name][tunable];
    if (takes_part) left_out.erase(value);
    else if (before.size() > 1) left_out.insert(value);
    emit changed();
}

bool TuningChoices::isTuned(const Variant& variant, const std::string& tunable) const {
    const auto fixed = fixed_.find(variant.name);
    return fixed == fixed_.end() || !fixed->second.contains(tunable);
}

void TuningChoices::setTuned(const Variant& variant, const std::string& tunable, bool tuned) {
    if (tuned) fixed_[variant.name].erase(tunable);
    else fixed_[variant.name].insert(tunable);
    emit changed();
}

ChosenValues TuningChoices::of(const Variant& variant) const {
    ChosenValues values;
    for (const Tunable& each : variant.tunables) {
        const std::vector<std::int64_t> of_tunable = chosen(variant, each);
        if (of_tunable != each.values) values[each.name] = of_tunable;
    }
    return values;
}

double TuningChoices::combinations(const Variant& variant) const {
    double count = 1;
    for (const Tunable& each : variant.tunables) count *= static_cast<double>(chosen(variant, each).size());
    return count;
}

void TuningChoices::clear() {
    left_out_.clear();
    fixed_.clear();
    emit changed();
}

void TuningChoices::setShown(bool shown) {
    if (shown == shown_) return;
    shown_ = shown;
    emit changed();
}

}  // namespace kernelgen::studio
