// SPDX-License-Identifier: Apache-2.0
#include "core/project/name_expression.h"

#include <gtest/gtest.h>

#include "tests/core_project/example.h"

namespace kernelgen {
namespace {

TEST(NameExpression, IsAnInstanceOfATemplateOrAFunctionInANamespace) {
    for (const char* entry : {"softmax<float, 1024>", "softmax<DTYPE, BLOCK_N>", "mine::softmax", "::mine::softmax<>",
                              "softmax<cub::Sum<float>, (N > 2)>", "softmax<const float*, 'a', true> "}) {
        EXPECT_TRUE(is_name_expression(entry)) << entry;
        EXPECT_EQ(name_expression_problem(std::string(entry).substr(0, std::string(entry).find_last_not_of(' ') + 1)),
                  std::nullopt)
            << entry;
    }
    EXPECT_FALSE(is_name_expression("softmax"));
}

TEST(NameExpression, IsRefusedWhereItsBracketsOrNamesAreWrong) {
    for (const char* entry : {"softmax<float", "softmax<float>>", "softmax<float> x", "softmax<(float>",
                              "softmax<a)(b>", "softmax<a>b>", "softmax<a;b>", "softmax<a>;x<b>", "softmax<\"a\">",
                              "<float>", "mine::", "mine:::softmax", "class::softmax", "2d<float>", "mine::<float>"}) {
        EXPECT_NE(name_expression_problem(entry), std::nullopt) << entry;
    }
    EXPECT_NE(name_expression_problem("softmax<" + std::string(500, 'a') + ">"), std::nullopt);
}

TEST(NameExpression, HasAFunctionOfItsOwnName) {
    EXPECT_EQ(function_of("softmax"), "softmax");
    EXPECT_EQ(function_of("::mine::softmax<cub::Sum, BLOCK_N>"), "softmax");
}

TEST(NameExpression, IsForCudaKernelsOnly) {
    EXPECT_EQ(errors_of(example_with("/variants/0/entry", "bias_add<float>")),
              "variants[0].entry: `bias_add<float>` is an instance of a template, or in a namespace: only a kernel of "
              "language `cuda` may be; name the kernel's function\n");
    nlohmann::json project = example_with("/variants/0/language", "cuda");
    project["variants"][0]["launch"]["block"] = {256};
    project["variants"][0]["launch"].erase("order");
    project["variants"][0]["launch"].erase("threads");
    project["variants"][0]["entry"] = "mine::bias_add<DTYPE, 256>";
    EXPECT_EQ(errors_of(project), "");
    project["variants"][0]["entry"] = "bias_add<DTYPE, 256";
    EXPECT_EQ(
        errors_of(project),
        "variants[0].entry: `bias_add<DTYPE, 256` is no instance of a template: `<`, the arguments, and `>` at the "
        "end; write `<` and `>` that compare within parentheses; name the kernel's function\n");
}

}  // namespace
}  // namespace kernelgen
