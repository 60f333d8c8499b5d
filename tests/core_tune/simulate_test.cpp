// SPDX-License-Identifier: Apache-2.0
#include "core/tune/simulate.h"

#include <gmock/gmock.h>

#include <cmath>

namespace kernelgen {
namespace {

using testing::SizeIs;

TEST(Simulation, TellsWhatIsRecordedAndThatTheRestFailed) {
    const TuningSpace space = TuningSpace::make({{"a", {1, 2, 3}, 1}}, {}, {}).value();
    const Simulation simulation(space, {{0, 4.0, {}}, {2, 3.0, {}}});
    const auto searcher = make_searcher(Strategy::exhaustive, space, {});
    const std::vector<Trial> trials = simulation.play(*searcher, 10);
    ASSERT_THAT(trials, SizeIs(3));
    EXPECT_EQ(trials[1].objective, std::nullopt);
    EXPECT_EQ(best_of(trials)->index, 2u);
    EXPECT_EQ(simulation.optimum(), 3.0);
}

TEST(Simulation, EndsAfterItsEvaluations) {
    const TuningSpace space = TuningSpace::make({{"a", {1, 2, 3}, 1}}, {}, {}).value();
    const auto searcher = make_searcher(Strategy::random, space, {});
    const std::vector<Trial> trials = Simulation(space, {}).play(*searcher, 2);
    EXPECT_THAT(trials, SizeIs(2));
    EXPECT_FALSE(best_of(trials).has_value());
}

/// A kernel on a machine: tiles that divide 4096, whole warps and enough of them, not too much shared memory, a valley
/// in the work of a thread; some configurations take too many registers.
std::optional<double> seconds_of(const Configuration& c) {
    const auto threads = c.at("bx") * c.at("by"), work = c.at("tx") * c.at("ty");
    if (threads * work > 4096) return std::nullopt;
    double seconds = 1e-3;
    if (4096 % (c.at("bx") * c.at("tx")) != 0) seconds *= 1.3;
    if (c.at("bx") != 64) seconds *= 1.1;
    if (threads % 32 != 0) seconds *= 1.6;
    for (auto few = threads; few < 128; few *= 2) seconds *= 1.4;
    for (auto many = threads; many > 256; many /= 2) seconds *= 1.2;
    const double excess = static_cast<double>(work) - 6;
    seconds *= 1 + 0.03 * excess * excess;
    return c.at("cached") == 0 && c.at("ty") > 2 ? seconds * 1.4 : seconds;
}

TuningSpace synthetic_space() {
    std::vector<std::int64_t> widths;
    for (std::int64_t width = 16; width <= 256; width += 16) widths.push_back(width);
    return TuningSpace::make({{"bx", widths, 16},
                              {"by", {1, 2, 4, 8, 16}, 1},
                              {"tx", {1, 2, 3, 4}, 1},
                              {"ty", {1, 2, 3, 4, 5, 6}, 1},
                              {"cached", {0, 1}, 0}},
                             {"bx * by <= 1024", "bx % 32 == 0 or cached == 1"}, {})
        .value();
}

std::vector<Trial> recorded(const TuningSpace& space) {
    std::vector<Trial> trials;
    for (std::size_t i = 0; i < space.size(); ++i) trials.push_back({i, seconds_of(space.at(i)), {}});
    return trials;
}

/// The mean share of the optimum that a strategy finds.
double share_of_optimum(Strategy strategy, std::size_t evaluations,
                        const std::vector<std::vector<Trial>>& history = {}) {
    const TuningSpace space = synthetic_space();
    const Simulation simulation(space, recorded(space));
    double sum = 0;
    constexpr int seeds = 8;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        const auto searcher = make_searcher(strategy, space, {.seed = seed, .first = {}, .history = history});
        sum += *simulation.optimum() / *best_of(simulation.play(*searcher, evaluations))->objective;
    }
    return sum / seeds;
}

TEST(ModelStrategy, FindsMoreThanRandomSearchWithHalfTheEvaluations) {
    EXPECT_GT(share_of_optimum(Strategy::model, 40), share_of_optimum(Strategy::random, 80) + 0.02);
}

TEST(ModelStrategy, FindsItsWayInASpaceOfWhichItSeesASample) {
    std::vector<std::int64_t> values(30);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int64_t>(i + 1);
    const TuningSpace space = TuningSpace::make({{"a", values, 1}, {"b", values, 1}, {"c", values, 1}}, {}, {}).value();
    std::vector<Trial> trials;
    for (std::size_t i = 0; i < space.size(); ++i) {
        double seconds = 1;
        for (const auto& [name, value] : space.at(i)) seconds *= 1 + 0.1 * std::abs(static_cast<double>(value) - 17);
        trials.push_back({i, seconds, {}});
    }
    const auto searcher = make_searcher(Strategy::model, space, {.seed = 1, .first = {}, .history = {}});
    EXPECT_LT(best_of(Simulation(space, trials).play(*searcher, 60))->objective, 1.8);
}

TEST(ModelStrategy, KnowsAtOnceWhatAnotherDeviceTells) {
    const TuningSpace space = synthetic_space();
    std::vector<Trial> elsewhere = recorded(space);
    for (Trial& each : elsewhere) {
        if (each.objective) each.objective = 5 * *each.objective;
    }
    EXPECT_EQ(share_of_optimum(Strategy::model, 1, {elsewhere}), 1);
}

TEST(ModelStrategy, LearnsFromAPartOfWhatAnotherDeviceTells) {
    const TuningSpace space = synthetic_space();
    std::vector<Trial> elsewhere = recorded(space);
    std::erase_if(elsewhere, [](const Trial& each) { return each.index % 7 != 0; });
    EXPECT_GT(share_of_optimum(Strategy::model, 10, {elsewhere}), share_of_optimum(Strategy::model, 20));
}

/// A kernel whose registers are a sum of what its parameters ask for, and whose time follows from how many of its
/// blocks have registers on a multiprocessor, from spills, and from the work of a thread.
Trial built_and_timed(const TuningSpace& space, std::size_t index) {
    const Configuration c = space.at(index);
    const auto of = [&](const char* name) { return static_cast<double>(c.at(name)); };
    const double wanted = 14 + 2.5 * of("rows") * of("columns") + 9 * of("stages") + 20 * of("cached");
    const double registers = std::min(wanted, 255.0), spilled = 4 * (wanted - registers);
    const double blocks = std::floor(65536 / (std::ceil(registers / 8) * 8 * 32 * of("warps")));
    const double occupancy = std::min(1.0, blocks * of("warps") / 64);
    Trial trial{.index = index,
                .objective = {},
                .resources = {{"registers", registers}, {"spill_store_bytes", spilled}, {"occupancy", occupancy}}};
    if (blocks < 1) return trial;  // over the device's limit
    const double hidden = std::min(1.0, occupancy * (1 + 0.4 * of("stages")));
    trial.objective =
        1e-3 * (1 + 3 / (of("rows") * of("columns"))) * (1 + spilled / 40) / hidden * (1.2 - 0.15 * of("cached"));
    return trial;
}

/// The mean share of the optimum after so many evaluations, where builds tell what they take, or do not.
double share_with_builds(bool do_tell, std::size_t evaluations) {
    std::vector<std::int64_t> sizes;
    for (std::int64_t size = 1; size <= 12; ++size) sizes.push_back(size);
    const TuningSpace space = TuningSpace::make({{"rows", sizes, 1},
                                                 {"columns", sizes, 1},
                                                 {"stages", {1, 2, 3, 4, 5}, 1},
                                                 {"cached", {0, 1}, 0},
                                                 {"warps", {1, 2, 4, 8, 16, 32}, 4}},
                                                {}, {})
                                  .value();
    std::vector<Trial> trials;
    for (std::size_t i = 0; i < space.size(); ++i) {
        trials.push_back(built_and_timed(space, i));
        if (!do_tell) trials.back().resources.clear();
    }
    const Simulation simulation(space, trials);
    double sum = 0;
    constexpr int seeds = 16;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        const auto searcher = make_searcher(Strategy::model, space, {.seed = seed, .first = {}, .history = {}});
        sum += *simulation.optimum() / *best_of(simulation.play(*searcher, evaluations))->objective;
    }
    return sum / seeds;
}

TEST(ModelStrategy, FindsTheBestWhereBuildsTellWhatTheyTake) {
    const double told = share_with_builds(true, 80);
    EXPECT_GT(told, 0.995);
    EXPECT_GT(told, share_with_builds(false, 80));
}

}  // namespace
}  // namespace kernelgen
