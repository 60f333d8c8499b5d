// SPDX-License-Identifier: Apache-2.0
// Ceilings between and beyond the measured sizes, and a case's place below them.
#include "core/measure/roofline.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/base/file.h"

namespace kernelgen {
namespace {

/// In the cache 100 GB/s copy, 120 read, 80 write; from memory half of it.
Ceilings example_ceilings() {
    Ceilings ceilings;
    ceilings.device = "cpu";
    ceilings.fingerprint = "0123456789ab";
    ceilings.measured_at = "2026-01-02T03:04:05Z";
    ceilings.all_threads = {{1e6, 100, 120, 80}, {1e8, 50, 60, 40}};
    ceilings.one_thread = {{1e6, 60, 70, 50}};
    ceilings.gflops_all_threads = {{DType::f32, 200}, {DType::f64, 100}};
    ceilings.gflops_one_thread = {{DType::f32, 110}};
    ceilings.launch_seconds = 1e-6;
    return ceilings;
}

TEST(BandwidthCeiling, IsTheMeasuredOneForPureMixes) {
    EXPECT_DOUBLE_EQ(bandwidth_ceiling(example_ceilings(), 0.5e6, 0.5e6), 100);
    EXPECT_DOUBLE_EQ(bandwidth_ceiling(example_ceilings(), 1e6, 0), 120);
    EXPECT_DOUBLE_EQ(bandwidth_ceiling(example_ceilings(), 0, 1e6), 80);
}

TEST(BandwidthCeiling, IsLinearInTimePerByteBetweenMixes) {
    // Three quarters read: half a copy, half a read.
    EXPECT_DOUBLE_EQ(bandwidth_ceiling(example_ceilings(), 0.75e6, 0.25e6), 1 / (0.5 / 100 + 0.5 / 120));
    EXPECT_DOUBLE_EQ(bandwidth_ceiling(example_ceilings(), 0.25e6, 0.75e6), 1 / (0.5 / 100 + 0.5 / 80));
}

/// An H100: a copy of 64 MiB leaves half of what it writes in the L2, and a read has to be longer to reach its rate.
TEST(BandwidthCeiling, CountsWhatIsCopiedAtItsOwnSize) {
    Ceilings ceilings;
    ceilings.all_threads = {{33554432, 2834, 2378, 2929},
                            {67108864, 3272, 2756, 3089},
                            {134217728, 3166, 2996, 3204},
                            {268435456, 3081, 3098, 3269}};
    // Two inputs and an output of 32 MiB, which moved 3284 GB/s; by the rates at 96 MiB it would be 3097.
    const double small = bandwidth_ceiling(ceilings, 67108864, 33554432);
    EXPECT_GT(small, 3284 / most_plausible_fraction);
    EXPECT_LT(small, 3284 * most_plausible_fraction);
    // Of 64 MiB each: 3155 GB/s.
    EXPECT_NEAR(bandwidth_ceiling(ceilings, 134217728, 67108864), 3155, 3155 * 0.02);
    EXPECT_DOUBLE_EQ(bandwidth_ceiling(ceilings, 67108864, 0), 2756);
    EXPECT_DOUBLE_EQ(bandwidth_ceiling(ceilings, 33554432, 33554432), 3272);
}

TEST(BandwidthCeiling, FurtherBytesAreNotFasterThanAnyThatWereMeasured) {
    Ceilings ceilings;
    // A read of twice the bytes seems to take no longer.
    ceilings.all_threads = {{1e6, 100, 60, 100}, {2e6, 100, 120, 100}};
    EXPECT_DOUBLE_EQ(bandwidth_ceiling(ceilings, 1.5e6, 0.5e6), 2 / (1.0 / 100 + 1.0 / 120));
}

TEST(BandwidthCeiling, IsLinearInTheLogarithmOfTheSize) {
    EXPECT_NEAR(bandwidth_ceiling(example_ceilings(), 0.5e7, 0.5e7), 75, 1e-9);
    EXPECT_DOUBLE_EQ(bandwidth_ceiling(example_ceilings(), 0.5e8, 0.5e8), 50);
}

TEST(BandwidthCeiling, IsConstantBeyondTheMeasuredSizes) {
    EXPECT_DOUBLE_EQ(bandwidth_ceiling(example_ceilings(), 1, 1), 100);
    EXPECT_DOUBLE_EQ(bandwidth_ceiling(example_ceilings(), 1e12, 1e12), 50);
}

TEST(BandwidthCeiling, IsNothingWithoutMeasurementsOrBytes) {
    EXPECT_EQ(bandwidth_ceiling({}, 1e6, 1e6), 0);
    EXPECT_EQ(bandwidth_ceiling(example_ceilings(), 0, 0), 0);
}

TEST(FlopCeiling, IsOfTheArithmetic) {
    EXPECT_EQ(flop_ceiling(example_ceilings(), DType::f32), 200);
    EXPECT_EQ(flop_ceiling(example_ceilings(), DType::f16), 0);
    Ceilings tensor_cores = example_ceilings();
    tensor_cores.tensor_gflops = {{"bf16", 900}};
    EXPECT_EQ(flop_ceiling(tensor_cores, DType::f32, DType::bf16), 900);
    EXPECT_EQ(flop_ceiling(tensor_cores, DType::f32, DType::f16), 0);
    EXPECT_EQ(flop_ceiling(tensor_cores, DType::f32, DType::f32), 200);
}

TEST(Roofline, PlacesAMemoryBoundCase) {
    // 1e6 bytes of a copy in 12.5 µs: 80 GB/s of 100; 0.1 FLOP/byte.
    const Analysis analysis{.flops = 1e5, .bytes_read = 0.5e6, .bytes_written = 0.5e6};
    const RooflinePoint point = place_on_roofline(analysis, DType::f32, 12.5e-6, example_ceilings());
    EXPECT_DOUBLE_EQ(point.intensity, 0.1);
    EXPECT_DOUBLE_EQ(point.bandwidth_gbps, 80);
    EXPECT_DOUBLE_EQ(point.gflops, 8);
    EXPECT_DOUBLE_EQ(point.attainable_gbps, 100);
    EXPECT_DOUBLE_EQ(point.fraction, 0.8);
    EXPECT_TRUE(point.memory_bound);
    EXPECT_FALSE(point.implausible);
}

TEST(Roofline, PlacesAComputeBoundCase) {
    // 100 FLOP/byte: 200 GFLOP/s allow 2 GB/s.
    const Analysis analysis{.flops = 1e8, .bytes_read = 0.5e6, .bytes_written = 0.5e6};
    const RooflinePoint point = place_on_roofline(analysis, DType::f32, 1e-3, example_ceilings());
    EXPECT_DOUBLE_EQ(point.attainable_gbps, 2);
    EXPECT_DOUBLE_EQ(point.fraction, 0.5);
    EXPECT_FALSE(point.memory_bound);
}

TEST(Roofline, FlagsWhatIsMoreThanThreePercentAboveTheCeiling) {
    const Analysis analysis{.flops = 1e5, .bytes_read = 0.5e6, .bytes_written = 0.5e6};
    EXPECT_FALSE(place_on_roofline(analysis, DType::f32, 1e-5 / 1.029, example_ceilings()).implausible);
    EXPECT_TRUE(place_on_roofline(analysis, DType::f32, 1e-5 / 1.031, example_ceilings()).implausible);
}

TEST(Roofline, WithoutCeilingsSaysOnlyWhatNeedsNone) {
    const Analysis analysis{.flops = 1e5, .bytes_read = 0.5e6, .bytes_written = 0.5e6};
    const RooflinePoint point = place_on_roofline(analysis, DType::f32, 1e-5, {});
    EXPECT_FALSE(point.has_ceilings);
    EXPECT_DOUBLE_EQ(point.bandwidth_gbps, 100);
    EXPECT_FALSE(to_json(point).contains("fraction"));
    EXPECT_FALSE(roofline_point_from_json(to_json(point)).has_ceilings);
}

TEST(Roofline, SurvivesJson) {
    const Analysis analysis{.flops = 1e5, .bytes_read = 0.5e6, .bytes_written = 0.5e6};
    const RooflinePoint point = place_on_roofline(analysis, DType::f32, 9e-6, example_ceilings());
    const RooflinePoint again = roofline_point_from_json(to_json(point));
    EXPECT_EQ(to_json(again), to_json(point));
    EXPECT_TRUE(again.implausible);
}

TEST(Ceilings, SurviveJson) {
    EXPECT_EQ(to_json(ceilings_from_json(to_json(example_ceilings()))), to_json(example_ceilings()));
}

class CeilingsCache : public ::testing::Test {
protected:
    CeilingsCache() {
        char name[] = "/tmp/kernelgen-ceilings-XXXXXX";
        folder_ = ::mkdtemp(name);
        if (const char* old = std::getenv("XDG_CACHE_HOME")) old_ = old;
        ::setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
    }
    ~CeilingsCache() override {
        std::filesystem::remove_all(folder_);
        if (old_) ::setenv("XDG_CACHE_HOME", old_->c_str(), 1);
        else ::unsetenv("XDG_CACHE_HOME");
    }

private:
    std::filesystem::path folder_;
    std::optional<std::string> old_;
};

TEST_F(CeilingsCache, GivesBackWhatWasMeasuredInTheSameEnvironment) {
    EXPECT_FALSE(load_ceilings("cpu", "0123456789ab"));
    ASSERT_TRUE(save_ceilings(example_ceilings()));
    const auto loaded = load_ceilings("cpu", "0123456789ab");
    ASSERT_TRUE(loaded);
    EXPECT_EQ(to_json(*loaded), to_json(example_ceilings()));
    EXPECT_FALSE(load_ceilings("cpu", "another"));
    EXPECT_FALSE(load_ceilings("cuda:0", "0123456789ab"));
}

TEST_F(CeilingsCache, KeepsDisturbedOnesForTenMinutes) {
    Ceilings disturbed = example_ceilings();
    disturbed.quiet = false;
    ASSERT_TRUE(save_ceilings(disturbed));
    const auto loaded = load_ceilings("cpu", "0123456789ab");
    ASSERT_TRUE(loaded);
    EXPECT_FALSE(loaded->quiet);
    const auto path = cache_folder() / "ceilings" / "cpu-0123456789ab.json";
    using Clock = std::filesystem::file_time_type::clock;
    for (const auto written :
         {Clock::now() - disturbed_are_kept - std::chrono::seconds(1), Clock::now() + std::chrono::hours(1)}) {
        std::filesystem::last_write_time(path, written);
        EXPECT_FALSE(load_ceilings("cpu", "0123456789ab"));
    }
    ASSERT_TRUE(save_ceilings(example_ceilings()));
    ASSERT_TRUE(save_ceilings(disturbed));
    EXPECT_TRUE(load_ceilings("cpu", "0123456789ab")->quiet) << "disturbed ones replaced those measured in quiet";
}

TEST_F(CeilingsCache, IgnoresAFileThatIsTornOrOfAnotherShape) {
    ASSERT_TRUE(save_ceilings(example_ceilings()));
    const auto path = cache_folder() / "ceilings" / "cpu-0123456789ab.json";
    for (const char* text : {"", "{\"device\": \"cpu\"", "[]", "{\"device\": 3}", "nonsense"}) {
        ASSERT_TRUE(write_file_atomic(path, text));
        EXPECT_FALSE(load_ceilings("cpu", "0123456789ab")) << text;
    }
}

TEST_F(CeilingsCache, IgnoresWhatOtherKernelsMeasured) {
    ASSERT_TRUE(save_ceilings(example_ceilings()));
    const auto path = cache_folder() / "ceilings" / "cpu-0123456789ab.json";
    nlohmann::json object = nlohmann::json::parse(*read_file(path));
    object["measured_by"] = object.at("measured_by").get<int>() - 1;
    ASSERT_TRUE(write_file_atomic(path, object.dump()));
    EXPECT_FALSE(load_ceilings("cpu", "0123456789ab"));
    object.erase("measured_by");  // as the first versions wrote it
    ASSERT_TRUE(write_file_atomic(path, object.dump()));
    EXPECT_FALSE(load_ceilings("cpu", "0123456789ab"));
}

}  // namespace
}  // namespace kernelgen
