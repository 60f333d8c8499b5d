// SPDX-License-Identifier: Apache-2.0
#include "core/tune/model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <set>
#include <unordered_map>

#include "core/tune/built_resources.h"
#include "core/tune/features.h"
#include "core/tune/gaussian_process.h"
#include "core/tune/objective_scale.h"
#include "core/tune/past.h"
#include "core/tune/random.h"
#include "core/tune/some_of.h"
#include "core/tune/untried.h"

namespace kernelgen {

namespace {

/// The most configurations that the model sees. Of a larger space it sees a sample, and the neighbours of the best.
constexpr std::size_t largest_pool = 12'000;
/// Configurations of the start, and among how many each is chosen.
constexpr std::size_t start_count = 10;
constexpr int start_candidates = 20;
/// The kernel is learnt anew when so many times as many trials are known.
constexpr double learn_again = 1.15;
constexpr int first_learning_steps = 25, learning_steps = 8;
/// Where there is a past, the Gaussian process keeps its kernel until this many trials are known.
constexpr std::size_t least_learnt = 5;
/// The most trials to learn from: the best half, and others.
constexpr std::size_t most_learnt = 300;
/// How many of the best configurations have their neighbours added to the pool.
constexpr std::size_t best_with_neighbours = 10;

/// A configuration that was asked for or told.
struct Question {
    std::size_t index = 0, row = 0;  ///< in the space, in the pool
    bool is_answered = false;
    std::optional<double> objective;
    double believed = 0;  ///< on the scale of objectives, until it is answered
};

ObjectiveScale scale_of(const std::vector<Question>& tried) {
    std::vector<std::optional<double>> objectives;
    for (const Question& each : tried) objectives.push_back(each.objective);
    return ObjectiveScale(objectives);
}

/// The targets that the Gaussian process learns: objectives on their scale, less what the past expects, and centred;
/// without a past also divided by their standard deviation.
struct Targets {
    Eigen::VectorXd values;
    double unit = 1, centre = 0, spread = 1;
    double best = 0;  ///< of all that succeeded

    double normal(double objective) const { return (objective / unit - centre) / spread; }
    double objective_of(double normal) const { return (normal * spread + centre) * unit; }
};

double density(double z) { return std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi); }
double probability_below(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

/// The expected improvement over the best (Jones, Schonlau and Welch 1998); where that is none, less than nothing, so
/// that the nearest to it still comes first.
double promise(double mean, double deviation, double best) {
    const double z = (best - mean) / deviation;
    const double improvement = deviation * (z * probability_below(z) + density(z));
    return improvement > 1e-300 ? improvement : z;
}

std::vector<std::size_t> sample_of(const TuningSpace& space, Random& random) {
    std::vector<std::size_t> all(space.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    if (all.size() <= largest_pool) return all;
    for (std::size_t i = 0; i < largest_pool; ++i) std::swap(all[i], all[i + random.below(all.size() - i)]);
    all.resize(largest_pool);
    std::ranges::sort(all);
    return all;
}

class ModelSearcher final : public Searcher {
public:
    ModelSearcher(const TuningSpace& space, const SearchOptions& options)
        : space_(space),
          random_(options.seed),
          untried_(space.size(), options.first),
          pool_(sample_of(space, random_)),
          features_(space, pool_),
          past_(options.history, features_, space.size()),
          feature_rows_(features_.rows(pool_)),
          past_rows_(past_.rows(pool_)),
          kernel_(features_.are_parameters()) {
        for (std::size_t row = 0; row < pool_.size(); ++row) row_of_[pool_[row]] = row;
    }

    std::vector<std::size_t> ask(int count) override {
        std::vector<std::size_t> chosen;
        while (std::ssize(chosen) < count && untried_.left() > 0) {
            chosen.push_back(next());
            untried_.take(chosen.back());
        }
        return chosen;
    }

    void tell(const Trial& trial) override {
        untried_.take(trial.index);
        auto found = std::ranges::find(tried_, trial.index, &Question::index);
        if (found == tried_.end()) found = tried_.insert(found, {.index = trial.index, .row = row_of(trial.index)});
        found->is_answered = true;
        found->objective = usable(trial.objective);
        resources_.tell(found->row, trial.resources);
    }

private:
    std::size_t next();
    std::size_t farthest();
    std::size_t most_promising();
    std::size_t any_untried();
    bool knows_enough() const;

    std::size_t row_of(std::size_t index);
    void add_to_pool(const std::vector<std::size_t>& indices);
    void add_neighbours();

    void prepare();
    void learn();
    std::vector<std::size_t> chosen_to_learn() const;
    Targets targets(const std::vector<std::size_t>& places) const;
    double expected_by_past(std::size_t row) const;

    const TuningSpace& space_;
    Random random_;
    Untried untried_;
    std::vector<std::size_t> pool_;  ///< indices that the model predicts
    Features features_;
    Past past_;
    Eigen::ArrayXXf feature_rows_, past_rows_;  ///< of the pool
    BuiltResources resources_;
    Eigen::ArrayXXf seen_rows_;  ///< the features, and what builds take as it was known when the kernel was learnt
    std::unordered_map<std::size_t, std::size_t> row_of_;
    std::vector<Question> tried_;  ///< in the order of asking
    Kernel kernel_;
    std::optional<Posterior> posterior_;
    std::vector<std::size_t> learnt_;  ///< places in `tried_` of what the posterior has, in its order
    std::size_t appended_ = 0;         ///< places in `tried_` that the posterior has or left out
    std::size_t learnt_at_ = 0;        ///< size of the posterior when the kernel was learnt
};

std::size_t ModelSearcher::next() {
    Question tried{.index = 0};
    if (const auto first = untried_.take_first()) {
        tried.index = *first;
    } else if (!knows_enough()) {
        tried.index = farthest();
    } else {
        return most_promising();
    }
    tried.row = row_of(tried.index);
    tried.believed = scale_of(tried_).of(std::nullopt);
    tried_.push_back(tried);
    return tried.index;
}

bool ModelSearcher::knows_enough() const {
    if (past_.count() > 0) return true;
    return tried_.size() >= start_count &&
           std::ranges::any_of(tried_, [](const Question& each) { return each.objective.has_value(); });
}

/// The configuration that is least like those tried, among some that are drawn at random.
std::size_t ModelSearcher::farthest() {
    std::size_t best = any_untried();
    float best_distance = -1;
    for (int i = 0; i < start_candidates; ++i) {
        const std::size_t row = random_.below(pool_.size());
        if (!untried_.has(pool_[row])) continue;
        float distance = std::numeric_limits<float>::max();
        for (const Question& each : tried_) {
            const auto difference = feature_rows_.row(static_cast<Eigen::Index>(row)) -
                                    feature_rows_.row(static_cast<Eigen::Index>(each.row));
            distance = std::min(distance, difference.square().sum());
        }
        if (distance <= best_distance) continue;
        best_distance = distance;
        best = pool_[row];
    }
    return best;
}

std::size_t ModelSearcher::any_untried() {
    std::size_t index = random_.below(space_.size());
    while (!untried_.has(index)) index = (index + 1) % space_.size();
    return index;
}

std::size_t ModelSearcher::most_promising() {
    prepare();
    const Targets goal = targets(learnt_);
    Eigen::ArrayXf mean = posterior_->mean(goal.values);
    if (past_.count() > 0) mean += past_rows_.rowwise().mean();
    const Eigen::ArrayXf deviation = posterior_->deviation();
    std::optional<std::size_t> best;
    double most = 0;
    for (std::size_t row = 0; row < pool_.size(); ++row) {
        if (!untried_.has(pool_[row])) continue;
        const auto place = static_cast<Eigen::Index>(row);
        const double promised = promise(mean(place), deviation(place), goal.best);
        if (best && promised <= most) continue;
        best = row;
        most = promised;
    }
    if (!best) best = row_of(any_untried());  // all of the pool was tried
    const double believed =
        *best < static_cast<std::size_t>(mean.size()) ? mean(static_cast<Eigen::Index>(*best)) : goal.best;
    tried_.push_back({.index = pool_[*best], .row = *best, .believed = goal.objective_of(believed)});
    return pool_[*best];
}

std::size_t ModelSearcher::row_of(std::size_t index) {
    if (!row_of_.contains(index)) add_to_pool({index});
    return row_of_.at(index);
}

void ModelSearcher::add_to_pool(const std::vector<std::size_t>& indices) {
    for (const std::size_t each : indices) {
        row_of_[each] = pool_.size();
        pool_.push_back(each);
    }
    const auto count = static_cast<Eigen::Index>(indices.size());
    feature_rows_.conservativeResize(feature_rows_.rows() + count, Eigen::NoChange);
    feature_rows_.bottomRows(count) = features_.rows(indices);
    past_rows_.conservativeResize(past_rows_.rows() + count, Eigen::NoChange);
    past_rows_.bottomRows(count) = past_.rows(indices);
    posterior_.reset();
}

/// Adds the neighbours of the best configurations to the pool, where the space is larger than the pool.
void ModelSearcher::add_neighbours() {
    if (pool_.size() == space_.size()) return;
    std::vector<Question> best = tried_;
    std::erase_if(best, [](const Question& each) { return !each.objective; });
    std::ranges::stable_sort(best, {}, [](const Question& each) { return *each.objective; });
    if (best.size() > best_with_neighbours) best.resize(best_with_neighbours);
    std::set<std::size_t> added;
    for (const Question& each : best) {
        for (const std::size_t neighbour : space_.neighbours(each.index)) {
            if (!row_of_.contains(neighbour)) added.insert(neighbour);
        }
    }
    if (!added.empty()) add_to_pool({added.begin(), added.end()});
}

/// Brings the posterior up to date with what was tried.
void ModelSearcher::prepare() {
    const bool has_grown = static_cast<double>(learnt_.size()) >= learn_again * static_cast<double>(learnt_at_);
    if (!posterior_ || has_grown) learn();
    for (; appended_ < tried_.size(); ++appended_) {
        posterior_->add(tried_[appended_].row);
        learnt_.push_back(appended_);
    }
}

void ModelSearcher::learn() {
    add_neighbours();
    const Eigen::ArrayXXf taken = resources_.columns(feature_rows_);
    seen_rows_.resize(feature_rows_.rows(), feature_rows_.cols() + taken.cols());
    seen_rows_ << feature_rows_, taken;
    kernel_.take_features(seen_rows_.cols());
    learnt_ = chosen_to_learn();
    appended_ = tried_.size();
    std::vector<std::size_t> answered;
    for (const std::size_t each : learnt_) {
        if (tried_[each].is_answered) answered.push_back(each);
    }
    if (past_.count() == 0 || answered.size() >= least_learnt) {
        Eigen::MatrixXd rows(std::ssize(answered), seen_rows_.cols()), past(rows.rows(), past_rows_.cols());
        for (Eigen::Index i = 0; i < rows.rows(); ++i) {
            const auto row = static_cast<Eigen::Index>(tried_[answered[static_cast<std::size_t>(i)]].row);
            rows.row(i) = seen_rows_.row(row).matrix().cast<double>();
            past.row(i) = past_rows_.row(row).matrix().cast<double>();
        }
        kernel_.learn(rows, past, targets(answered).values, learnt_at_ == 0 ? first_learning_steps : learning_steps);
        learnt_at_ = learnt_.size();
    }
    posterior_.emplace(seen_rows_, past_rows_, kernel_);
    for (const std::size_t each : learnt_) posterior_->add(tried_[each].row);
}

/// Places in `tried_`: of what was answered the best and others, and all that is still to be answered.
std::vector<std::size_t> ModelSearcher::chosen_to_learn() const {
    std::vector<std::size_t> answered, others;
    for (std::size_t i = 0; i < tried_.size(); ++i) (tried_[i].is_answered ? answered : others).push_back(i);
    std::vector<std::size_t> chosen = some_of(std::move(answered), most_learnt, [&](std::size_t place) {
        return tried_[place].objective.value_or(std::numeric_limits<double>::infinity());
    });
    chosen.insert(chosen.end(), others.begin(), others.end());
    return chosen;
}

double ModelSearcher::expected_by_past(std::size_t row) const {
    return past_.count() == 0 ? 0 : past_rows_.row(static_cast<Eigen::Index>(row)).mean();
}

Targets ModelSearcher::targets(const std::vector<std::size_t>& places) const {
    const ObjectiveScale scale = scale_of(tried_);
    const bool has_past = past_.count() > 0;
    Targets goal{.values = Eigen::VectorXd(std::ssize(places)), .unit = past_.unit()};
    for (std::size_t i = 0; i < places.size(); ++i) {
        const Question& each = tried_[places[i]];
        const double objective = each.is_answered ? scale.of(each.objective) : each.believed;
        goal.values(static_cast<Eigen::Index>(i)) = objective / goal.unit - expected_by_past(each.row);
    }
    if (!places.empty()) goal.centre = goal.values.mean();
    goal.values.array() -= goal.centre;
    if (!has_past) goal.spread = std::max(1e-9, std::sqrt(goal.values.array().square().mean()));
    goal.values /= goal.spread;
    double best = std::numeric_limits<double>::infinity();
    for (const Question& each : tried_) best = std::min(best, each.objective.value_or(best));
    if (std::isfinite(best)) goal.best = goal.normal(scale.of(best));
    return goal;
}

}  // namespace

std::unique_ptr<Searcher> make_model_searcher(const TuningSpace& space, const SearchOptions& options) {
    return std::make_unique<ModelSearcher>(space, options);
}

}  // namespace kernelgen
