// SPDX-License-Identifier: Apache-2.0
// Right kernels beside a neighbour that takes all processors: none may be accused. Minutes; `./dev test all` has it.
#include <gtest/gtest.h>

#include <thread>

#include "core/bench/bench.h"
#include "tests/core_host/kernels.h"

namespace kernelgen {
namespace {

constexpr int runs = 50;

/// A thread on every processor that never waits.
std::vector<std::jthread> busy_neighbours() {
    std::vector<std::jthread> neighbours;
    for (unsigned i = 0; i < std::thread::hardware_concurrency(); ++i) {
        neighbours.emplace_back([](std::stop_token stop) {
            for (volatile int spins = 0; !stop.stop_requested();) spins = spins + 1;
        });
    }
    return neighbours;
}

BenchResult time_beside(std::int64_t rows, double budget) {
    BenchRequest request;
    request.definition = testing::bias_add_operator();
    request.binding = {"timed", DType::f32, {{"P", rows}, {"D", 1000}}};
    request.performance.budget_seconds = budget;
    request.candidates = {testing::bias_add_kernel(testing::bias_add_source())};
    request.baseline = testing::bias_add_kernel(testing::bias_add_source());
    const auto backend = testing::host_backend();
    return bench(request, *backend, testing::no_progress, {}).front();
}

TEST(NightlyFalseAlarms, NoRightKernelIsAccusedBesideABusyNeighbour) {
    const std::vector<std::jthread> neighbours = busy_neighbours();
    constexpr std::int64_t rows[] = {1, 100, 2000};
    for (int run = 0; run < runs; ++run) {
        const BenchResult result = time_beside(rows[run % std::size(rows)], 0.5);
        EXPECT_EQ(result.status, Status::ok) << "run " << run << ": " << result.reason;
    }
}

}  // namespace
}  // namespace kernelgen
