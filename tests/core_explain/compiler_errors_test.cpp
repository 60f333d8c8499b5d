// SPDX-License-Identifier: Apache-2.0
#include "core/explain/compiler_errors.h"

#include <gmock/gmock.h>

#include "core/base/file.h"

namespace kernelgen {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<KnownError> shipped() {
    const std::string file = KERNELGEN_SOURCE_DIR "/resources/explain/compiler_errors.json";
    Validated<std::vector<KnownError>> errors = parse_known_errors(read_file(file).value(), file);
    EXPECT_TRUE(errors) << to_string(errors.error());
    return errors ? std::move(*errors) : std::vector<KnownError>();
}

std::string id_of(const std::string& message) {
    static const std::vector<KnownError> errors = shipped();
    const auto known = explain_error(message, errors);
    return known ? known->id : "";
}

TEST(CompilerErrors, OfGccAreKnown) {
    EXPECT_EQ(id_of("‘BLOCK_K’ was not declared in this scope; did you mean ‘BLOCK_M’?"), "undeclared");
    EXPECT_EQ(id_of("expected ‘;’ before ‘}’ token"), "expected_semicolon");
    EXPECT_EQ(id_of("expected ‘}’ at end of input"), "unbalanced");
    EXPECT_EQ(id_of("conflicting declaration of C function ‘void bias_add(const float*, float*, int64_t)’"),
              "entry_signature");
    EXPECT_EQ(id_of("fatal error: helper.h: No such file or directory"), "missing_header");
    EXPECT_EQ(id_of("no matching function for call to ‘max(float, double)’"), "no_match");
    EXPECT_EQ(id_of("assignment of read-only location ‘*(x + ((sizetype)(i * 4)))’"), "const_pointer");
    EXPECT_EQ(id_of("stray ‘\\357’ in program"), "stray_character");
    EXPECT_EQ(
        id_of("inlining failed in call to ‘always_inline’ ‘__m512 _mm512_add_ps(__m512, __m512)’: target specific "
              "option mismatch"),
        "target_mismatch");
}

TEST(CompilerErrors, OfNvrtcAndTheDriverAreKnown) {
    EXPECT_EQ(id_of("identifier \"tid\" is undefined"), "undeclared");
    EXPECT_EQ(id_of("expected a \";\""), "expected_semicolon");
    EXPECT_EQ(id_of("no instance of overloaded function \"max\" matches the argument list"), "no_match");
    EXPECT_EQ(id_of("could not open source file \"cub/cub.cuh\" (no directories in search list)"), "missing_header");
    EXPECT_EQ(id_of("ptxas error: Entry function 'k' uses too much shared data (0x1c000 bytes, 0xc000 max)"),
              "ptxas_shared");
    EXPECT_EQ(id_of("too many resources requested for launch"), "too_many_registers");
    EXPECT_EQ(id_of("an illegal memory access was encountered"), "illegal_address");
    EXPECT_EQ(id_of("misaligned address"), "misaligned");
    EXPECT_EQ(id_of("invalid configuration argument"), "invalid_launch");
    EXPECT_EQ(id_of("out of memory"), "out_of_memory");
}

TEST(CompilerErrors, OfTritonAndPythonAreKnown) {
    EXPECT_EQ(id_of("ValueError('arange\\'s range must be a power of 2')"), "triton_power_of_2");
    EXPECT_EQ(id_of("arange's arguments must be of type tl.constexpr"), "triton_constexpr");
    EXPECT_EQ(id_of("Cannot make_shape_compatible: incompatible dimensions at index 0: 64 and 128"), "triton_shapes");
    EXPECT_EQ(id_of("out of resource: shared memory, Required: 262144, Hardware limit: 232448."), "ptxas_shared");
    EXPECT_EQ(id_of("NameError: name 'BLOCK' is not defined"), "triton_undefined");
    EXPECT_EQ(id_of("ModuleNotFoundError: No module named 'triton'"), "python_module");
    EXPECT_EQ(id_of("IndentationError: unexpected indent (bias_add.py, line 12)"), "python_indentation");
    EXPECT_EQ(id_of("TypeError: bias_add() missing 1 required positional argument: 'bias'"), "python_arguments");
    EXPECT_EQ(id_of("Expected all tensors to be on the same device, but found at least two devices"), "torch_device");
}

TEST(CompilerErrors, OthersAreNotExplained) {
    EXPECT_EQ(id_of("3 of 12 elements of `out` are not within rtol 1e-05"), "");
    EXPECT_EQ(id_of("control reaches end of non-void function"), "");
    EXPECT_EQ(id_of(""), "");
}

TEST(CompilerErrors, SayTheNameThatAMessageHas) {
    const auto known = explain_error("‘BLOCK_K’ was not declared in this scope", shipped());
    ASSERT_TRUE(known);
    EXPECT_THAT(known->why.english, HasSubstr("`BLOCK_K`"));
    EXPECT_THAT(known->why.chinese, HasSubstr("`BLOCK_K`"));
}

std::string problems_of(const std::string& text) {
    const auto read = parse_known_errors(text, "errors.json");
    return read ? "" : to_string(read.error());
}

TEST(CompilerErrors, OfADamagedFileAreRefusedWithTheirPlace) {
    const auto with = [](const std::string& pattern, const std::string& why) {
        return R"({"schema": "kernelgen.compiler_errors/1", "errors": [{"id": "a", "pattern": ")" + pattern +
               R"(", "why": {"en": ")" + why + R"(", "zh": "b"}, "what_to_do": {"en": "c", "zh": "d"}}]})";
    };
    EXPECT_THAT(problems_of(with("x(.)", "{1}")), IsEmpty());
    EXPECT_THAT(problems_of(with("x(", "a")), HasSubstr("no regular expression"));
    EXPECT_THAT(problems_of(with("x", "{1}")), HasSubstr("names group 1"));
    EXPECT_THAT(problems_of(with("", "a")), HasSubstr("expected a pattern"));
    EXPECT_THAT(problems_of(with("x", "")), HasSubstr("a text is empty"));
    EXPECT_THAT(problems_of(R"({"schema": "other/1", "errors": []})"), HasSubstr("expected schema"));
    EXPECT_THAT(problems_of("[]"), HasSubstr("object"));
}

}  // namespace
}  // namespace kernelgen
