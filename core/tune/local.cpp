// SPDX-License-Identifier: Apache-2.0
#include "core/tune/local.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/tune/objective_scale.h"
#include "core/tune/random.h"
#include "core/tune/untried.h"

namespace kernelgen {

namespace {

/// The base of both strategies here: it hands out untried configurations, and knows where to go when nothing better is
/// known.
class WanderingSearcher : public Searcher {
public:
    WanderingSearcher(const TuningSpace& space, const SearchOptions& options)
        : space_(space), random_(options.seed), untried_(space.size(), options.first) {}

    std::vector<std::size_t> ask(int count) final {
        std::vector<std::size_t> chosen;
        while (std::ssize(chosen) < count && untried_.left() > 0) {
            const auto first = untried_.take_first();
            chosen.push_back(first ? *first : next());
            untried_.take(chosen.back());
        }
        return chosen;
    }

    void tell(const Trial& trial) final {
        untried_.take(trial.index);
        if (const auto objective = usable(trial.objective)) learn(trial.index, *objective);
    }

protected:
    /// An untried one; there is one.
    virtual std::size_t next() = 0;
    virtual void learn(std::size_t index, double objective) = 0;

    std::size_t any_untried() {
        std::size_t index = random_.below(space_.size());
        while (!untried_.has(index)) index = (index + 1) % space_.size();
        return index;
    }

    /// The last of `queue` that is untried, which leaves the queue with all behind it.
    std::optional<std::size_t> pop(std::vector<std::size_t>& queue) const {
        while (!queue.empty()) {
            const std::size_t index = queue.back();
            queue.pop_back();
            if (untried_.has(index)) return index;
        }
        return std::nullopt;
    }

    const TuningSpace& space_;
    Random random_;
    Untried untried_;
};

class LocalSearcher final : public WanderingSearcher {
public:
    using WanderingSearcher::WanderingSearcher;

private:
    std::size_t next() override {
        if (const auto neighbour = pop(neighbours_)) return *neighbour;
        here_.reset();
        return any_untried();
    }

    void learn(std::size_t index, double objective) override {
        if (here_ && *here_ <= objective) return;
        here_ = objective;
        neighbours_ = space_.neighbours(index);
        random_.shuffle(neighbours_);
    }

    std::optional<double> here_;
    std::vector<std::size_t> neighbours_;  ///< of the best of this climb
};

/// Whether a position is on the coarse grid of a parameter with `count` values.
bool is_coarse(std::uint16_t position, std::size_t count) {
    return count <= 2 || position % 2 == 0 || position + 1u == count;
}

class CoarseToFineSearcher final : public WanderingSearcher {
public:
    CoarseToFineSearcher(const TuningSpace& space, const SearchOptions& options) : WanderingSearcher(space, options) {
        for (std::size_t index = 0; index < space.size(); ++index) {
            if (is_on_grid(index)) grid_.push_back(index);
        }
        random_.shuffle(grid_);
    }

private:
    static constexpr std::size_t kept_share = 5;  ///< one of so many

    bool is_on_grid(std::size_t index) const {
        const std::span<const std::uint16_t> row = space_.positions(index);
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (!is_coarse(row[i], space_.parameters()[i].values.size())) return false;
        }
        return true;
    }

    std::size_t next() override {
        if (const auto coarse = pop(grid_)) return *coarse;
        std::size_t kept = 1 + good_.size() / kept_share;
        for (auto each = good_.begin(); each != good_.end() && kept > 0; ++each, --kept) {
            if (refined_.contains(each->second)) continue;
            for (const std::size_t neighbour : space_.neighbours(each->second)) {
                if (untried_.has(neighbour)) return neighbour;
            }
            refined_.insert(each->second);
        }
        return any_untried();
    }

    void learn(std::size_t index, double objective) override { good_.emplace(objective, index); }

    std::vector<std::size_t> grid_;
    std::set<std::pair<double, std::size_t>> good_;
    std::set<std::size_t> refined_;  ///< all of their neighbours were tried
};

}  // namespace

std::unique_ptr<Searcher> make_local_searcher(const TuningSpace& space, const SearchOptions& options) {
    return std::make_unique<LocalSearcher>(space, options);
}

std::unique_ptr<Searcher> make_coarse_to_fine_searcher(const TuningSpace& space, const SearchOptions& options) {
    return std::make_unique<CoarseToFineSearcher>(space, options);
}

}  // namespace kernelgen
