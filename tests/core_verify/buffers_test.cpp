// SPDX-License-Identifier: Apache-2.0
#include "core/verify/buffers.h"

#include <gmock/gmock.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/verify/npy.h"
#include "tests/core_verify/copied_buffers.h"

namespace kernelgen {
namespace {

using testing::Buffers;
using ::testing::HasSubstr;

TEST(Buffers, GuardsAreWholeAfterEverythingIsFilled) { EXPECT_FALSE(Buffers().damage()); }

TEST(Buffers, AGuardBeginsAtTheByteAfterTheLastElement) {
    Buffers buffers;
    buffers.output()[140] ^= std::byte{1};
    ASSERT_TRUE(buffers.damage());
    EXPECT_THAT(*buffers.damage(), HasSubstr("output `out` was written past its end, 1 after its last element"));
}

TEST(Buffers, DamageIsFoundAtAnyByteOfAGuard) {
    for (const std::ptrdiff_t at : {-4096, -1, 140, 140 + 4095}) {
        Buffers buffers;
        buffers.output()[at] ^= std::byte{1};
        EXPECT_TRUE(buffers.damage()) << at;
    }
}

TEST(Buffers, DamageNamesInputsAndWorkspaceToo) {
    Buffers buffers;
    buffers.arena[buffers.layout.inputs[0].offset - 1] ^= std::byte{1};
    EXPECT_THAT(*buffers.damage(), HasSubstr("input `x` was written before its start, 1 before its first element"));
    Buffers others;
    others.arena[others.layout.workspace[0].offset + 24 + 8] ^= std::byte{1};
    EXPECT_THAT(*others.damage(), HasSubstr("workspace buffer 0 was written past its end, 2 after its last element"));
}

TEST(Buffers, OneChangedBitOfAnInputIsSeen) {
    Buffers buffers;
    EXPECT_TRUE(inputs_unchanged(buffers.call, buffers.layout, buffers.arena.data(), InputSet::normal, 1));
    buffers.arena[buffers.layout.inputs[0].offset + 69] ^= std::byte{1};
    EXPECT_FALSE(inputs_unchanged(buffers.call, buffers.layout, buffers.arena.data(), InputSet::normal, 1));
}

TEST(Buffers, InputsHoldWhatTheirSeedMakes) {
    Buffers buffers;
    std::vector<double> expected(35), stored(35);
    generate(InputSet::normal, 1, 0, DType::f16, 0, expected);
    decode(DType::f16, buffers.arena.data() + buffers.layout.inputs[0].offset, std::span(stored));
    EXPECT_EQ(stored, expected);
}

TEST(Npy, HasTheHeaderThatNumPyReads) {
    const std::filesystem::path path = std::filesystem::temp_directory_path() / "kernelgen-npy-test.npy";
    {
        NpyWriter file(path, DType::bf16, {2, 3});
        file.append(std::vector<double>{1, 2, 3, 4, 5, 6});
    }
    std::ifstream file(path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    EXPECT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
    EXPECT_THAT(bytes, HasSubstr("{'descr': '<f4', 'fortran_order': False, 'shape': (2,3,), }"));
    ASSERT_EQ(bytes.size(), 128u + 6 * 4);
    float last = 0;
    std::memcpy(&last, bytes.data() + bytes.size() - 4, 4);
    EXPECT_EQ(last, 6);
    std::filesystem::remove(path);
}

}  // namespace
}  // namespace kernelgen
