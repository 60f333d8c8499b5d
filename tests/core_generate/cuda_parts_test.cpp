// SPDX-License-Identifier: Apache-2.0
// Parts of the CUDA kernels alone, where a whole kernel would need too large a tensor to show what they do.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/core_generate/compiled.h"

namespace kernelgen::tests {

namespace {

/// `call`, with `result` for what it finds, run by the threads of one emulated block of a grid, from block `begin` on.
std::string emulated_part(const std::string& call) {
    return "#define DTYPE float\n#define KG_PROCESSOR \"" KERNELGEN_SOURCE_DIR
           "/tests/core_generate/cuda_emulation/processor.h\"\n"
           "#include \"kernelgen.cuh\"\n"
           "extern \"C\" void run(double argument, int64_t begin, int64_t grid, int64_t threads, double* result) {\n"
           "    (void)argument;\n"
           "    kg_emulated::launch(unsigned(begin), unsigned(grid), unsigned(threads), 1, 0, [&] {\n" +
           call + "    });\n}\n";
}
using RunPart = void(double, std::int64_t, std::int64_t, std::int64_t, double*);

/// The largest score of a row comes first, the others are far below it: its weight stays 1, however many blocks follow.
TEST(OnlineSoftmax, KeepsTheSumsWhereTheLargestScoreStays) {
    const Compiled part(emulated_part(R"(
        kg::OnlineSoftmax<16> softmax(0.7f);
        float scores[8], kept[2];
        for (int block = 0; block < 512; ++block) {
            for (int i = 0; i < 8; ++i) scores[i] = -1000;
            if (block == 0 && kg::thread_index() % 4 == 0) scores[0] = scores[2] = static_cast<float>(argument);
            softmax.weigh(scores, kept);
            if (kg::thread_index() == 0 && block > 0) result[0] *= kept[0];
        }
        const auto end = softmax.finish(0);
        if (kg::thread_index() == 0) result[1] = end.factor, result[2] = end.log_sum;
    )"));
    // Most shifts are below 4096, where they are subtracted by a fused multiply-add; the last ones are above.
    for (double largest = 300.1; largest < 8000; largest += 411.7) {
        double result[3] = {1, 0, 0};
        part.function<RunPart>("run")(largest, 0, 1, 32, result);
        EXPECT_EQ(result[0], 1) << largest;
        EXPECT_NEAR(result[1], 1, 2e-4) << largest;
        EXPECT_NEAR(result[2], 0.7 * largest, 1e-6 * largest) << largest;
    }
}

/// The first row and column of the last block's tile, of products of so many rows and columns.
std::pair<double, double> last_tile(const std::string& tiles, std::int64_t blocks) {
    const Compiled part(emulated_part("        const auto tile = kg::" + tiles +
                                      ".tile();\n"
                                      "        result[0] = double(tile.row), result[1] = double(tile.column);\n"));
    double result[2] = {};
    part.function<RunPart>("run")(0, blocks - 1, blocks, 1, result);
    return {result[0], result[1]};
}

TEST(ProductTiles, BeginBehindFourBillionRowsOrColumns) {
    constexpr std::int64_t long_side = (std::int64_t{1} << 32) + 64;
    using Place = std::pair<double, double>;
    const auto begin = static_cast<double>(long_side - 64);
    EXPECT_EQ(last_tile("ProductTiles<64, 64, 8>(1, 4294967360, 1)", long_side / 64), Place(begin, 0));
    EXPECT_EQ(last_tile("ProductTiles<64, 64, 16>(1, 1, 4294967360)", long_side / 64), Place(0, begin));
}

/// Sixteen rows of so many tiles have more tiles than 32 bits can count, and there are but two rows.
TEST(ProductTiles, HaveTheirPlaceWhereRowsAreVeryLong) {
    using Place = std::pair<double, double>;
    EXPECT_EQ(last_tile("ProductTiles<64, 64, 16>(1, 128, 64 * (int64_t{1} << 28) + 64)", (std::int64_t{2} << 28) + 2),
              Place(64, 64.0 * (1 << 28)));
}

}  // namespace

}  // namespace kernelgen::tests
