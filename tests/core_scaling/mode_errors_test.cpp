// SPDX-License-Identifier: Apache-2.0
#include "core/scaling/mode_errors.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

#include "core/scaling/block_scale.h"
#include "core/scaling/laplace.h"
#include "core/scaling/tensor_scan.h"
#include "tests/core_scaling/tensor_file.h"

namespace kernelgen {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ModeErrorsOf : public testing::TensorFileTest {};
class TensorScans : public testing::TensorFileTest {};

std::vector<double> normals(std::size_t count) {
    std::mt19937_64 random(1);
    std::normal_distribution<double> normal;
    std::vector<double> values(count);
    for (double& each : values) each = normal(random);
    return values;
}

/// The same elements with the two axes exchanged.
std::vector<double> transposed(const std::vector<double>& values, std::size_t rows) {
    const std::size_t columns = values.size() / rows;
    std::vector<double> result(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) result[i % columns * rows + i / columns] = values[i];
    return result;
}

TEST_F(ModeErrorsOf, OneScaleAreThoseOfEachElement) {
    const NpyReader file = tensor({2, 2}, {448, 17, 1, -3.3});
    const double one = 1;
    const ModeErrors errors =
        errors_with(file, {DType::f8e4m3, ScaleMode::tensor}, {{}, 1, std::span(&one, 1)}, {}).value();
    EXPECT_EQ(errors.metrics.max_absolute, 1);  // 17 lies between 16 and 18, which are equally near: even
    EXPECT_NEAR(errors.metrics.mean_absolute, (1 + 0.05) / 4, 1e-12);
    EXPECT_NEAR(errors.relative_error, std::sqrt((1 + 0.05 * 0.05) / (448 * 448 + 17 * 17 + 1 + 3.3 * 3.3)), 1e-12);
    EXPECT_NEAR(errors.snr_db(), -20 * std::log10(errors.relative_error), 1e-12);
    EXPECT_EQ(errors.flushed, 0);
}

TEST_F(ModeErrorsOf, ChannelsTakeTheirOwnScaleAlongAnyAxis) {
    const std::vector<double> values = {1, 1000, 1, 1000, 1, 1000}, scales = {1.0 / 448, 1000.0 / 448};
    const NpyReader columns = tensor({3, 2}, values);
    const AxisWalk last = walk_along(columns.header(), -1).value();
    EXPECT_LT(errors_with(columns, {DType::f8e4m3, ScaleMode::channel}, {last, 1, scales}, {})->relative_error, 1e-12);
    const NpyReader rows = tensor({2, 3}, transposed(values, 3));
    const AxisWalk first = walk_along(rows.header(), 0).value();
    EXPECT_LT(errors_with(rows, {DType::f8e4m3, ScaleMode::channel}, {first, 1, scales}, {})->relative_error, 1e-12);
}

TEST_F(ModeErrorsOf, GroupsAreTheSameAlongEitherAxis) {
    const std::vector<double> values = normals(512 * 96);
    const StoreMode mode{DType::f8e4m3, ScaleMode::group, 32};
    const NpyReader rows = tensor({512, 96}, values);
    const ModeErrors along_rows = errors_in_groups(rows, mode, *walk_along(rows.header(), 1), {}).value();
    const NpyReader columns = tensor({96, 512}, transposed(values, 512));
    const ModeErrors along_columns = errors_in_groups(columns, mode, *walk_along(columns.header(), 0), {}).value();
    EXPECT_EQ(along_rows.metrics.max_absolute, along_columns.metrics.max_absolute);
    EXPECT_NEAR(along_rows.relative_error, along_columns.relative_error, 1e-12);
    EXPECT_EQ(along_rows.metrics.histogram, along_columns.metrics.histogram);
    EXPECT_EQ(along_rows.scales, 512 * 3);
}

TEST_F(ModeErrorsOf, FinerGroupsLoseLessAndNoneClips) {
    std::vector<double> values = normals(1 << 14);
    for (std::size_t i = 0; i < values.size(); i += 1024) values[i] *= 1e5;
    const NpyReader file = tensor({16, 1024}, values);
    const AxisWalk walk = walk_along(file.header(), -1).value();
    double before = 1;
    for (const std::int64_t group : {1024, 128, 16}) {
        const ModeErrors errors = errors_in_groups(file, {DType::f8e4m3, ScaleMode::group, group}, walk, {}).value();
        EXPECT_LT(errors.metrics.mean_absolute, before * 1e6);
        EXPECT_LE(errors.flushed, before);
        EXPECT_EQ(errors.metrics.clip_ratio, 0);
        before = errors.flushed;
    }
}

TEST_F(ModeErrorsOf, ClippedElementsAreCountedWhereAScaleIsTooSmall) {
    const NpyReader file = tensor({4}, {1, 2, 3, 4});
    const double scale = 2.0 / 448;
    const ModeErrors errors =
        errors_with(file, {DType::f8e4m3, ScaleMode::tensor}, {{}, 1, std::span(&scale, 1)}, {}).value();
    EXPECT_EQ(errors.metrics.clip_ratio, 0.5);
    EXPECT_NEAR(errors.metrics.max_absolute, 2, 1e-12);
}

TEST_F(TensorScans, FindAmaxOfTensorAndChannels) {
    const NpyReader file = tensor({2, 3}, {1, -5, 0, 2, 3, -0.5});
    const TensorScan scan = scan_tensor(file, *walk_along(file.header(), -1), {}).value();
    EXPECT_EQ(scan.amax, 5);
    EXPECT_EQ(scan.least, 0.5);
    EXPECT_EQ(scan.zeros, 1);
    EXPECT_THAT(scan.channels, ElementsAre(2, 5, 0.5));
    EXPECT_THAT(scan_tensor(file, *walk_along(file.header(), 0), {})->channels, ElementsAre(5, 3));
}

TEST_F(TensorScans, RefuseNanAndInfinitiesWithTheirPlace) {
    const NpyReader file = tensor({2, 2}, {1, NAN, INFINITY, NAN});
    const Result<TensorScan> scan = scan_tensor(file, *walk_along(file.header(), -1), {});
    ASSERT_FALSE(scan);
    EXPECT_THAT(scan.error().message.text(), HasSubstr("2 NaN and 1 infinities, the first is element 1"));
}

TEST_F(TensorScans, RefuseAnAxisThatIsNotThere) {
    const NpyReader file = tensor({2, 2}, {1, 2, 3, 4});
    EXPECT_THAT(walk_along(file.header(), 2).error().message.text(), HasSubstr("axes from -2 to 1"));
    EXPECT_FALSE(walk_along(file.header(), -3));
}

TEST_F(TensorScans, EndWhereAStopIsRequested) {
    const NpyReader file = tensor({2, 2}, {1, 2, 3, 4});
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(scan_tensor(file, *walk_along(file.header(), -1), stop.get_token()).error().message, "cancelled");
}

/// Errors that follow the form, in the bins of a histogram.
ErrorMetrics laplace_errors(double b) {
    ErrorMetrics metrics{.elements = 10'000'000, .mean_absolute = b};
    metrics.histogram.resize(90);
    for (std::size_t i = 0; i < metrics.histogram.size(); ++i) {
        const double from = std::pow(10, -20 + static_cast<double>(i) / 4), to = from * std::pow(10, 0.25);
        metrics.histogram[i] = static_cast<std::int64_t>(1e7 * (std::exp(-from / b) - std::exp(-to / b)) + 0.5);
    }
    return metrics;
}

TEST(Laplace, DivergenceIsNoneWhereErrorsHaveTheForm) {
    for (const double b : {1e-6, 0.03, 2.0}) EXPECT_NEAR(divergence_from_laplace(laplace_errors(b)), 0, 1e-5);
}

TEST(Laplace, DivergenceIsThatOfTheDefinition) {
    ErrorMetrics metrics{.elements = 4, .mean_absolute = 0.5};
    metrics.exact = 2;
    metrics.histogram.assign(81, 0);
    metrics.histogram[80] = 2;  // from 1 on
    const double below = 1 - std::exp(-1 / 0.5);
    // The bins between are empty, so the first one ends at 10^-3.25, the first edge that is not below b/1000.
    const double first = 1 - std::exp(-std::pow(10, -3.25) / 0.5);
    EXPECT_NEAR(divergence_from_laplace(metrics), 0.5 * std::log(0.5 / first) + 0.5 * std::log(0.5 / (1 - below)),
                1e-9);
}

TEST(Laplace, DivergenceIsNoneWithoutErrors) {
    EXPECT_EQ(divergence_from_laplace(ErrorMetrics{.elements = 9, .exact = 9}), 0);
}

}  // namespace
}  // namespace kernelgen
