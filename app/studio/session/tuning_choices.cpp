// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/session/tuning_choices.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "app/studio/application/text.h"
#include "core/tune/searcher.h"

namespace kernelgen::studio {

namespace {

const Tunable* tunableOf(const Variant& variant, const std::string& name) {
    const auto found = std::ranges::find(variant.tunables, name, &Tunable::name);
    return found == variant.tunables.end() ? nullptr : &*found;
}

/// "90s", "5m"
QString durationText(double seconds) {
    const bool is_minutes = seconds >= 60 && std::fmod(seconds, 60) == 0;
    return is_minutes ? QString::number(seconds / 60) + "m" : QString::number(seconds) + "s";
}

TuningFields fieldsOf(const TuningHead& head) {
    TuningFields fields;
    fields.budget = durationText(head.command_budget_seconds > 0 ? head.command_budget_seconds : head.budget_seconds);
    fields.objective = toQt(head.objective);
    fields.most = head.evaluations.value_or(0);
    fields.seed = static_cast<int>(std::min<std::uint64_t>(head.seed, std::numeric_limits<int>::max()));
    const auto strategy =
        std::ranges::find(all_strategies, head.strategy, [](Strategy each) { return to_string(each); });
    if (strategy != std::end(all_strategies)) fields.strategy = static_cast<int>(strategy - std::begin(all_strategies));
    fields.all_cases = head.cases.size() > 1;
    fields.chosen_case = toQt(head.binding.name);
    return fields;
}

}  // namespace

class TuningChoices::Command : public QUndoCommand {
public:
    Command(TuningChoices& choices, const QString& text, LeftOut after)
        : QUndoCommand(text), choices_(choices), before_(choices.left_out_), after_(std::move(after)) {}

    void undo() override { choices_.take(before_); }
    void redo() override { choices_.take(after_); }

private:
    TuningChoices& choices_;
    LeftOut before_, after_;
};

void TuningChoices::change(const QString& text, LeftOut after) {
    undo_.push(new Command(*this, text, std::move(after)));  // which the stack owns
}

void TuningChoices::take(const LeftOut& left_out) {
    left_out_ = left_out;
    emit changed();
}

bool TuningChoices::takesPart(const Variant& variant, const std::string& tunable, std::int64_t value) const {
    const auto of_variant = left_out_.values.find(variant.name);
    if (of_variant == left_out_.values.end()) return true;
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
    if (takesPart(variant, tunable, value) == takes_part || (!takes_part && before.size() < 2)) return emit changed();
    LeftOut after = left_out_;
    std::set<std::int64_t>& left_out = after.values[variant.name][tunable];
    if (takes_part) left_out.erase(value);
    else left_out.insert(value);
    change((takes_part ? tr("tune %1=%2 too") : tr("tune without %1=%2")).arg(toQt(tunable)).arg(value),
           std::move(after));
}

bool TuningChoices::isTuned(const Variant& variant, const std::string& tunable) const {
    const auto fixed = left_out_.tunables.find(variant.name);
    return fixed == left_out_.tunables.end() || !fixed->second.contains(tunable);
}

void TuningChoices::setTuned(const Variant& variant, const std::string& tunable, bool tuned) {
    if (isTuned(variant, tunable) == tuned) return;
    LeftOut after = left_out_;
    if (tuned) after.tunables[variant.name].erase(tunable);
    else after.tunables[variant.name].insert(tunable);
    change((tuned ? tr("tune %1 too") : tr("tune without %1")).arg(toQt(tunable)), std::move(after));
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
    left_out_ = {};
    recalled_ = false;
    emit changed();
}

void TuningChoices::recall(const TuningHead& head, const Variant& variant) {
    if (std::exchange(recalled_, true)) return;
    fields_ = fieldsOf(head);
    left_out_.values[variant.name].clear();
    left_out_.tunables[variant.name].clear();
    for (const auto& [name, values] : head.chosen) {
        const Tunable* tunable = tunableOf(variant, name);
        if (tunable == nullptr) continue;
        std::set<std::int64_t> left_out(tunable->values.begin(), tunable->values.end());
        for (const std::int64_t each : values) left_out.erase(each);
        if (left_out.size() < tunable->values.size()) left_out_.values[variant.name][name] = std::move(left_out);
    }
    emit changed();
}

void TuningChoices::setShown(bool shown) {
    if (shown == shown_) return;
    shown_ = shown;
    emit changed();
}

}  // namespace kernelgen::studio
