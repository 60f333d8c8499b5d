// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <format>
#include <set>

#include "core/base/cause_sentences.h"
#include "core/base/mend_sentences.h"
#include "core/base/seen_sentences.h"
#include "core/explain/finders.h"

namespace kernelgen {

namespace {

bool is_failure(const SizeOutcome& outcome) {
    return outcome.status != Status::ok && outcome.status != Status::restricted &&
           outcome.status != Status::cancelled && outcome.status != Status::unavailable;
}

class SizeFinder {
public:
    SizeFinder(const WrongOutput& evidence, Causes& causes) : evidence_(evidence), causes_(causes) {
        failing_ = std::ranges::count_if(evidence.sizes, is_failure);
        total_ = static_cast<std::int64_t>(evidence.sizes.size());
    }

    void run() {
        if (failing_ == 0 || failing_ == total_ || total_ < 6) return;
        for (const std::string& symbol : evidence_.definition.symbols) {
            if (find_multiple(symbol) || find_limit(symbol)) return;
        }
    }

private:
    std::int64_t size_of(const SizeOutcome& outcome, const std::string& symbol) const {
        const auto found = outcome.binding.sizes.find(symbol);
        return found == outcome.binding.sizes.end() ? 0 : found->second;
    }

    template <class Fails>
    bool holds(const Fails& fails) const {
        return std::ranges::all_of(evidence_.sizes,
                                   [&](const SizeOutcome& each) { return fails(each) == is_failure(each); });
    }

    void add(CauseKind kind, double confidence, Said seen, const Said& mend) {
        causes_.push_back({.kind = kind,
                           .confidence = confidence,
                           .text = say(sentences::cause_other_sizes, seen),
                           .evidence = {},
                           .advice = mend,
                           .places = places_of(evidence_.candidate, CauseKind::tail_columns, "")});
    }

    bool find_multiple(const std::string& symbol) {
        std::set<std::int64_t> steps = {2, 4, 8, 16, 32, 64};
        for (const auto& [name, value] : evidence_.candidate.configuration) steps.insert(value);
        for (const std::int64_t step : steps) {
            if (step < 2) continue;
            if (!holds([&](const SizeOutcome& each) { return size_of(each, symbol) % step != 0; })) continue;
            add(CauseKind::other_sizes, 0.7, say(sentences::seen_sizes_divide, failing_, total_, symbol, step),
                sentences::mend_tail);
            return true;
        }
        return false;
    }

    bool find_limit(const std::string& symbol) {
        std::int64_t least_failing = INT64_MAX, most_failing = 0, least_right = INT64_MAX, most_right = 0;
        for (const SizeOutcome& each : evidence_.sizes) {
            const std::int64_t size = size_of(each, symbol);
            std::int64_t& least = is_failure(each) ? least_failing : least_right;
            std::int64_t& most = is_failure(each) ? most_failing : most_right;
            least = std::min(least, size);
            most = std::max(most, size);
        }
        if (least_failing > most_right) {
            add(CauseKind::other_sizes, 0.5, say(sentences::seen_sizes_above, failing_, total_, symbol, most_right),
                sentences::mend_sizes);
            return true;
        }
        if (most_failing >= least_right) return false;
        add(CauseKind::other_sizes, 0.5, say(sentences::seen_sizes_below, failing_, total_, symbol, least_right),
            sentences::mend_sizes);
        return true;
    }

    const WrongOutput& evidence_;
    Causes& causes_;
    std::int64_t failing_ = 0, total_ = 0;
};

}  // namespace

void find_in_sizes(const WrongOutput& evidence, Causes& causes) { SizeFinder(evidence, causes).run(); }

}  // namespace kernelgen
