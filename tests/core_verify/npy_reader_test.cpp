// SPDX-License-Identifier: Apache-2.0
#include "core/verify/npy_reader.h"

#include <gmock/gmock.h>

#include "core/base/file.h"
#include "core/base/scratch_folder.h"
#include "core/verify/npy.h"

namespace kernelgen {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A file of format 1.0 with this header, whose elements begin behind it.
std::string npy_of(const std::string& header) {
    return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) + '\0' + header;
}
std::string npy_with(const std::string& descriptor, const std::string& shape = "(2, 3)") {
    return npy_of("{'descr': '" + descriptor + "', 'fortran_order': False, 'shape': " + shape + ", }\n");
}
std::string problem_of_npy(const std::string& bytes, bool uint16_is_bf16 = false) {
    const Result<NpyHeader> header = parse_npy_header(bytes, "x.npy", uint16_is_bf16);
    return header ? "" : header.error().message.text();
}

TEST(NpyReaders, ReadWhatTheWriterWrites) {
    const ScratchFolder folder = ScratchFolder::create(std::filesystem::temp_directory_path()).value();
    for (const DType dtype : {DType::f64, DType::f32, DType::f16}) {
        const std::filesystem::path path = folder.path / "x.npy";
        const std::vector<double> values = {1, -2, 0.5, 65504, 0, 3};
        NpyWriter(path, dtype, {2, 3}).append(std::span(values));
        const Result<NpyReader> reader = NpyReader::open(path);
        ASSERT_TRUE(reader) << reader.error().message;
        EXPECT_EQ(reader->header().dtype, dtype);
        EXPECT_THAT(reader->header().shape, ElementsAre(2, 3));
        std::vector<double> read(4);
        ASSERT_TRUE(reader->read(2, read));
        EXPECT_THAT(read, ElementsAre(0.5, 65504, 0, 3));
        EXPECT_FALSE(reader->read(3, read));  // past the end
    }
}

TEST(NpyReaders, TakeBfloat16AsItIsCommonlyStored) {
    EXPECT_EQ(parse_npy_header(npy_with("<V2"), "x", false)->dtype, DType::bf16);
    EXPECT_EQ(parse_npy_header(npy_with("|V2"), "x", false)->dtype, DType::bf16);
    EXPECT_EQ(parse_npy_header(npy_with("<u2"), "x", true)->dtype, DType::bf16);
    EXPECT_THAT(problem_of_npy(npy_with("<u2")), HasSubstr("say so with --bf16"));
}

TEST(NpyReaders, ReverseTheShapeOfFortranOrder) {
    const std::string bytes = npy_of("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3, 4), }\n");
    const NpyHeader header = parse_npy_header(bytes, "x", false).value();
    EXPECT_THAT(header.shape, ElementsAre(4, 3, 2));
    EXPECT_TRUE(header.is_reversed);
    EXPECT_EQ(header.data_at, bytes.size());
}

TEST(NpyReaders, TakeHeadersAsOtherVersionsWriteThem) {
    EXPECT_THAT(parse_npy_header(npy_with("<f4", "(5L,)"), "x", false)->shape, ElementsAre(5));
    EXPECT_TRUE(parse_npy_header(npy_with("<f4", "()"), "x", false)->shape.empty());
    const std::string dict = "{\"shape\": (3,), \"fortran_order\": False, \"descr\": \"<f8\"}";
    const std::string second =
        std::string("\x93NUMPY\x02\x00", 8) + static_cast<char>(dict.size()) + std::string(3, '\0') + dict;
    EXPECT_EQ(parse_npy_header(second, "x", false)->data_at, second.size());
}

TEST(NpyReaders, SayWhichElementsTheyDoNotTake) {
    EXPECT_THAT(problem_of_npy(npy_with("<i8")), HasSubstr("holds integers (`<i8`)"));
    EXPECT_THAT(problem_of_npy(npy_with("|b1")), HasSubstr("holds integers"));
    EXPECT_THAT(problem_of_npy(npy_with(">f4")), HasSubstr("big-endian (`>f4`)"));
    EXPECT_THAT(problem_of_npy(npy_with("<c8")), HasSubstr("elements of type `<c8`"));
    EXPECT_THAT(problem_of_npy(npy_of("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }")),
                HasSubstr("holds structures"));
}

TEST(NpyReaders, RefuseDamagedFiles) {
    EXPECT_THAT(problem_of_npy("hello"), HasSubstr("x.npy is no NumPy file"));
    EXPECT_THAT(problem_of_npy(""), HasSubstr("is no NumPy file"));
    EXPECT_THAT(problem_of_npy("PK\x03\x04 and so on"), HasSubstr("holds several arrays"));
    EXPECT_THAT(problem_of_npy(npy_with("<f4").substr(0, 30)), HasSubstr("its header is cut"));
    EXPECT_THAT(problem_of_npy(std::string("\x93NUMPY\x07\x00\x10\x00\x00\x00", 12)), HasSubstr("has format 7"));
    EXPECT_THAT(problem_of_npy(npy_of("{'descr': '<f4', 'shape': (1,), }")), HasSubstr("not one that NumPy writes"));
    EXPECT_THAT(problem_of_npy(npy_with("<f4", "(-1,)")), HasSubstr("not one that NumPy writes"));
    EXPECT_THAT(problem_of_npy(npy_with("<f4", "(3037000500, 3037000500, 3)")), HasSubstr("too many elements"));
    EXPECT_THAT(problem_of_npy(npy_with("<f4", "(99999999999999999999,)")), HasSubstr("not one that NumPy writes"));
}

TEST(NpyReaders, RefuseFilesThatDoNotEndWhereTheirElementsDo) {
    const ScratchFolder folder = ScratchFolder::create(std::filesystem::temp_directory_path()).value();
    ASSERT_TRUE(write_file_atomic(folder.path / "x.npy", npy_with("<f4") + std::string(20, '\0')));
    EXPECT_THAT(NpyReader::open(folder.path / "x.npy").error().message.text(),
                HasSubstr("needs 24 bytes of elements, and it has 20"));
    EXPECT_THAT(NpyReader::open(folder.path).error().message.text(), HasSubstr("not a regular file"));
}

}  // namespace
}  // namespace kernelgen
