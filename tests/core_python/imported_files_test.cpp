// SPDX-License-Identifier: Apache-2.0
// Modules of the project that a Python variant imports: they come with the request.
#include <gmock/gmock.h>

#include "tests/core_python/variants.h"

namespace kernelgen {
namespace {

using ::testing::HasSubstr;
using testing::torch_variant;

/// A PyTorch variant by `add` of a module.
Implementation importing(const std::string& statement, SourceFiles files, const std::string& call = "add(x, bias)") {
    Implementation made = torch_variant("return " + call, statement);
    made.files = std::move(files);
    return made;
}

/// The verdict on each, one after another, as one worker gives it: with the executor of the one before.
std::vector<VerifyResult> verified(const std::vector<Implementation>& variants) {
    Backend* const backend = testing::host_backend();
    std::vector<VerifyResult> results;
    for (const Implementation& each : variants) {
        VerifyRequest request = testing::verify_request(each);
        request.own_cases_only = true;
        results.push_back(verify(request, *backend, testing::no_progress, {}));
    }
    return results;
}

const std::string add = "def add(a, b):\n    return a + b\n";
const std::string subtract = "def add(a, b):\n    return a - b\n";

TEST(ImportedFiles, AreFoundHoweverTheyAreImported) {
    NEEDS(Language::torch);
    Implementation in_a_folder = importing("from helper import add\nimport common",
                                           {{"kernels/helper.py", add}, {"common.py", "import helper\n"}});
    in_a_folder.variant.source = "kernels/op.py";
    const std::vector<VerifyResult> results = verified({
        importing("from helper import add", {{"helper.py", add}}),
        importing("import helper as h", {{"helper.py", add}}, "h.add(x, bias)"),
        importing("from .helper import add", {{"helper.py", add}}),
        importing("from pack.tiles import add",
                  {{"pack/__init__.py", ""}, {"pack/tiles.py", "from .inner import add\n"}, {"pack/inner.py", add}}),
        importing("", {{"helper.py", add}}, "__import__('helper').add(x, bias)"),
        in_a_folder,
    });
    for (std::size_t i = 0; i < results.size(); ++i) EXPECT_EQ(results[i].status, Status::ok) << i << results[i].reason;
}

TEST(ImportedFiles, ThatChangeAreImportedAgainByTheSameExecutor) {
    NEEDS(Language::torch);
    const std::vector<VerifyResult> results = verified({
        importing("from helper import add", {{"helper.py", add}}),
        importing("from helper import add", {{"helper.py", subtract}}),
        importing("from helper import add", {{"helper.py", add}}),
        importing("", {{"helper.py", subtract}}, "__import__('helper').add(x, bias)"),
        importing("", {{"helper.py", add}}, "__import__('helper').add(x, bias)"),
        torch_variant("return add(x, bias)", "from helper import add"),
    });
    EXPECT_EQ(results[0].status, Status::ok) << results[0].reason;
    EXPECT_EQ(results[1].status, Status::mismatch) << results[1].reason;
    EXPECT_EQ(results[2].status, Status::ok) << results[2].reason;
    EXPECT_EQ(results[3].status, Status::mismatch) << results[3].reason;
    EXPECT_EQ(results[4].status, Status::ok) << results[4].reason;
    EXPECT_EQ(results[5].status, Status::build_failed) << "another's module is not there";
}

TEST(ImportedFiles, ThatFailAreSaidByTheirNamesAndLines) {
    NEEDS(Language::torch);
    const std::vector<VerifyResult> results = verified({
        importing("from helper import add", {{"helper.py", "\nx = 1 +\n"}}),
        importing("from helper import add", {{"helper.py", "\nraise KeyError('odd')\n"}}),
        importing("from helper import add", {{"helper.py", "def add(a, b):\n    assert False, 'odd'\n"}}),
    });
    EXPECT_EQ(results[0].status, Status::build_failed);
    EXPECT_THAT(results[0].reason, HasSubstr("helper.py:2: syntax error"));
    EXPECT_EQ(results[1].status, Status::build_failed);
    EXPECT_THAT(results[1].reason, HasSubstr("helper.py:2, in <module>: raise KeyError('odd')"));
    EXPECT_EQ(results[2].status, Status::launch_failed);
    EXPECT_THAT(results[2].reason, HasSubstr("helper.py:2, in add: assert False"));
    for (const VerifyResult& each : results)
        EXPECT_EQ(each.reason.text().find("/kernelgen-python-"), std::string::npos);
}

TEST(ImportedFiles, MayHaveTheKernelThatTritonCompiles) {
    NEEDS(Language::triton);
    Implementation made = testing::triton_variant();
    const std::size_t kernel = made.text.find("@triton.jit"), wrapper = made.text.find("def bias_add(x");
    made.files = {{"kernels.py", made.text.substr(0, wrapper)}};
    made.text = "import torch\nimport triton\nfrom kernels import bias_add_kernel\n\n\n" + made.text.substr(wrapper);
    ASSERT_LT(kernel, wrapper);
    const std::vector<VerifyResult> results = verified({made});
    EXPECT_EQ(results[0].status, Status::ok) << results[0].reason;
}

}  // namespace
}  // namespace kernelgen
