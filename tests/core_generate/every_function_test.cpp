// SPDX-License-Identifier: Apache-2.0
// A row of core/lang/operations.def names functions that others must implement.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>

#include "core/base/file.h"
#include "core/generate/generate.h"
#include "core/lang/operations.h"
#include "tests/core_generate/samples.h"

namespace kernelgen::tests {

namespace {

Operator one_call(const Operation& function) {
    std::string operands = "x";
    for (int i = 1; i < function.least_operands; ++i) operands += ", y";
    const std::string body = "out = x + y + " + std::string(function.name) + "(" + operands + ")";
    return make_operator("op", body, {"x:P,D", "y:P,D"});
}

/// What `pattern` finds as its first group.
std::set<std::string> names_in(const std::string& text, const std::string& pattern) {
    const std::regex regex(pattern);
    std::set<std::string> names;
    for (auto at = std::sregex_iterator(text.begin(), text.end(), regex); at != std::sregex_iterator(); ++at)
        names.insert((*at)[1]);
    return names;
}

std::string headers(const std::string& folder) {
    const std::filesystem::path include = std::filesystem::path(KERNELGEN_SOURCE_DIR) / "resources/include" / folder;
    std::string text;
    for (const auto& each : std::filesystem::directory_iterator(include)) {
        if (each.is_regular_file()) text += read_file(each.path()).value();
    }
    return text;
}

void expect_implemented(const Validated<GeneratedVariant>& generated, const std::set<std::string>& implemented) {
    const std::set<std::string> called = names_in(generated->text, R"(kg::(\w+)\()");
    EXPECT_FALSE(called.empty());
    for (const std::string& each : called) EXPECT_TRUE(implemented.contains(each)) << "kg::" << each;
}

}  // namespace

TEST(Every_function, is_implemented_for_the_host) {
    const std::set<std::string> implemented = names_in(headers("kernelgen"), R"((\w+)\()");
    for (const Operation& each : functions()) expect_implemented(generate_host_variant(one_call(each)), implemented);
}

TEST(Every_function, is_implemented_in_CUDA) {
    const std::set<std::string> implemented = names_in(headers("kernelgen/cuda"), R"((\w+)\()");
    for (const Operation& each : functions())
        expect_implemented(generate_cuda_naive_variant(one_call(each)), implemented);
}

TEST(Every_function, is_defined_in_the_Triton_file_that_calls_it) {
    for (const Operation& each : functions()) {
        const std::string text = generate_triton_variant(one_call(each))->text;
        const std::string kernel = text.substr(0, text.find("\ndef op("));
        std::set<std::string> defined = names_in(kernel, R"(\ndef (\w+)\()");
        defined.insert({"float", "range"});
        const std::string body = kernel.substr(kernel.find("def op_kernel("));
        for (const std::string& called : names_in(body, R"([^.\w](\w+)\()"))
            EXPECT_TRUE(defined.contains(called)) << each.name << ": " << called;
    }
}

}  // namespace kernelgen::tests
