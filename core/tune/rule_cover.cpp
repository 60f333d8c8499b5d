// SPDX-License-Identifier: Apache-2.0
#include "core/tune/rule_cover.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <format>
#include <limits>
#include <map>
#include <set>
#include <tuple>

namespace kernelgen {

namespace {

using Cases = std::uint64_t;  ///< a bit for each case

constexpr std::size_t most_cases = 64, most_exact = 10, most_parts = 3, most_parts_of_many = 2;

/// A condition of `parts` comparisons, and the cases on which it holds.
struct CoverCondition {
    std::string text;
    int parts = 1;
    Cases holds = 0;
};

Cases bit(std::size_t place) { return Cases{1} << place; }

/// Finds the list by trying each condition as the next rule, for what the rules before it leave.
class Cover {
public:
    Cover(const OptionCosts& costs, const std::vector<std::string>& symbols, double allowed,
          std::optional<std::size_t> otherwise);
    std::optional<std::vector<CoverRule>> find();

private:
    /// An option that loses little on some cases.
    struct Choice {
        std::size_t option = 0;
        double loss = 0;  ///< of all cases together
    };
    /// The best list for the cases that are left.
    struct List {
        int rules = 0, parts = 0;
        double loss = 0;
        std::size_t option = 0;
        const CoverCondition* first = nullptr;  ///< null: no further rule

        auto rank() const { return std::tuple(rules, parts, loss); }
    };

    void add(CoverCondition condition);
    void compare_symbols(const std::vector<std::string>& symbols);
    void compare_dtypes();
    void join_conditions();
    std::optional<Choice> choice_for(Cases cases, std::optional<std::size_t> only = {}) const;
    std::optional<List> best_list(Cases left);
    std::optional<List> search(Cases left);
    std::vector<const CoverCondition*> candidates(Cases left) const;

    const OptionCosts& costs_;
    double allowed_;
    std::optional<std::size_t> otherwise_;
    std::vector<CoverCondition> conditions_;  ///< each with other cases, the simplest of those with the same
    std::map<Cases, std::optional<List>> known_;
};

Cover::Cover(const OptionCosts& costs, const std::vector<std::string>& symbols, double allowed,
             std::optional<std::size_t> otherwise)
    : costs_(costs), allowed_(allowed), otherwise_(otherwise) {
    compare_symbols(symbols);
    compare_dtypes();
    join_conditions();
}

void Cover::add(CoverCondition condition) {
    if (condition.holds != 0 && !std::ranges::contains(conditions_, condition.holds, &CoverCondition::holds))
        conditions_.push_back(std::move(condition));
}

void Cover::compare_symbols(const std::vector<std::string>& symbols) {
    for (auto symbol = symbols.rbegin(); symbol != symbols.rend(); ++symbol) {
        std::set<std::int64_t> sizes;
        for (const Case& each : costs_.cases) sizes.insert(each.sizes.at(*symbol));
        for (auto lower = sizes.begin(); std::next(lower) != sizes.end(); ++lower) {
            const std::int64_t threshold = threshold_between(*lower, *std::next(lower));
            Cases above = 0, below = 0;
            for (std::size_t i = 0; i < costs_.cases.size(); ++i)
                (costs_.cases[i].sizes.at(*symbol) > threshold ? above : below) |= bit(i);
            add({std::format("{} > {}", *symbol, threshold), 1, above});
            add({std::format("{} <= {}", *symbol, threshold), 1, below});
        }
    }
}

void Cover::compare_dtypes() {
    std::map<std::size_t, Cases> sizes;
    for (std::size_t i = 0; i < costs_.cases.size(); ++i) sizes[size_of(costs_.cases[i].dtype)] |= bit(i);
    if (sizes.size() < 2) return;
    for (const auto& [bytes, holds] : sizes) add({std::format("dtype_bytes == {}", bytes), 1, holds});
}

void Cover::join_conditions() {
    const std::vector<CoverCondition> single = conditions_;
    const std::size_t most = costs_.cases.size() <= most_exact ? most_parts : most_parts_of_many;
    for (std::size_t parts = 2; parts <= most; ++parts) {
        const std::vector<CoverCondition> shorter = conditions_;
        for (const CoverCondition& a : shorter) {
            for (const CoverCondition& b : single) {
                if (a.parts + 1 == static_cast<int>(parts))
                    add({a.text + " and " + b.text, a.parts + 1, a.holds & b.holds});
            }
        }
    }
}

/// The option that loses least on all these cases, and on none too much.
std::optional<Cover::Choice> Cover::choice_for(Cases cases, std::optional<std::size_t> only) const {
    std::optional<Choice> best;
    const std::size_t options = costs_.losses.front().size();
    for (std::size_t option = only.value_or(0); option < (only ? *only + 1 : options); ++option) {
        Choice choice{option, 0};
        bool is_good = true;
        for (std::size_t i = 0; i < costs_.cases.size() && is_good; ++i) {
            if ((cases & bit(i)) == 0) continue;
            const std::optional<double>& loss = costs_.losses[i][option];
            is_good = loss && *loss <= allowed_;
            if (is_good) choice.loss += *loss;
        }
        if (is_good && (!best || choice.loss < best->loss)) best = choice;
    }
    return best;
}

/// The conditions to try next: all; where there are very many cases, only the one that covers most of them.
std::vector<const CoverCondition*> Cover::candidates(Cases left) const {
    std::vector<const CoverCondition*> found;
    for (const CoverCondition& each : conditions_) {
        const Cases taken = each.holds & left;
        if (taken != 0 && taken != left && choice_for(taken)) found.push_back(&each);
    }
    if (costs_.cases.size() <= most_exact || found.empty()) return found;
    return {*std::ranges::max_element(found, {}, [&](const CoverCondition* each) {
        return std::tuple(std::popcount(each->holds & left), -each->parts);
    })};
}

std::optional<Cover::List> Cover::search(Cases left) {
    if (const auto all = choice_for(left, otherwise_)) return List{0, 0, all->loss, all->option, nullptr};
    std::optional<List> best;
    for (const CoverCondition* each : candidates(left)) {
        const std::optional<List> rest = best_list(left & ~each->holds);
        if (!rest) continue;
        const Choice choice = *choice_for(each->holds & left);
        const List list{rest->rules + 1, rest->parts + each->parts, rest->loss + choice.loss, choice.option, each};
        if (!best || list.rank() < best->rank()) best = list;
    }
    return best;
}

std::optional<Cover::List> Cover::best_list(Cases left) {
    if (const auto found = known_.find(left); found != known_.end()) return found->second;
    return known_[left] = search(left);
}

std::optional<std::vector<CoverRule>> Cover::find() {
    Cases left = costs_.cases.size() == most_cases ? ~Cases{0} : bit(costs_.cases.size()) - 1;
    std::vector<CoverRule> rules;
    for (const CoverCondition* next = nullptr; rules.empty() || next != nullptr;) {
        const std::optional<List> list = best_list(left);
        if (!list) return std::nullopt;
        next = list->first;
        const Cases taken = next == nullptr ? left : left & next->holds;
        CoverRule& rule = rules.emplace_back(next == nullptr ? "" : next->text, list->option);
        for (std::size_t i = 0; i < costs_.cases.size(); ++i) {
            if ((taken & bit(i)) != 0) rule.cases.push_back(i);
        }
        left &= ~taken;
    }
    return rules;
}

}  // namespace

std::int64_t threshold_between(std::int64_t lower, std::int64_t upper) {
    const double middle = (std::log2(static_cast<double>(lower)) + std::log2(static_cast<double>(upper))) / 2;
    const double nearest = std::ceil(middle - 0.5);  // of two that are as near the lower
    for (const double exponent : {nearest, middle < nearest ? nearest - 1 : nearest + 1}) {
        const auto power = static_cast<std::int64_t>(std::exp2(std::clamp(exponent, 0.0, 62.0)));
        if (lower <= power && power < upper) return power;
    }
    return std::clamp(static_cast<std::int64_t>(std::exp2(middle)), lower, upper - 1);
}

std::optional<std::vector<CoverRule>> cover(const OptionCosts& costs, const std::vector<std::string>& symbols,
                                            double allowed, std::optional<std::size_t> otherwise) {
    if (costs.cases.empty() || costs.cases.size() > most_cases || costs.losses.front().empty()) return std::nullopt;
    return Cover(costs, symbols, allowed, otherwise).find();
}

}  // namespace kernelgen
