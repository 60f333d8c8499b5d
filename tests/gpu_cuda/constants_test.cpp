// SPDX-License-Identifier: Apache-2.0
// Inputs that a launch copies into `__constant__` variables, on stand-ins for NVIDIA's compiler and driver.
#include <gmock/gmock.h>

#include "tests/cli/program.h"

namespace kernelgen {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using ::testing::HasSubstr;
using testing::ProgramTest;
using testing::Ran;

class Constant : public ProgramTest {
protected:
    /// An operator that copies its input, and a kernel that has the input in a constant alone.
    void SetUp() override {
        ProgramTest::SetUp();
        const Ran made = kernelgen({"new", "small", "--name", "copied", "--body", "out = filter", "--input", "filter:N",
                                    "--output", "out:N", "--case", "N=3000,dtype=f32"});
        ASSERT_EQ(made.exit.status, 0) << made.errors;
        ASSERT_TRUE(write_file_atomic(folder / "small/constant.cu", "// compiled by a stand-in\n"));
        change(folder / "small", [](ordered_json& document) {
            ordered_json variant = {
                {"name", "constant"}, {"language", "cuda"}, {"source", "constant.cu"}, {"entry", "bias_add"}};
            variant["launch"] = {
                {"grid", {1}}, {"args", {"out", "N", {{"constant", "d_filter"}, {"from", "filter"}}}}, {"block", {32}}};
            document["variants"].push_back(variant);
        });
    }

    Ran verify(std::map<std::string, std::string> faults = {}) {
        faults["FAKE_DRIVER_COPIES_CONSTANT"] = "1";
        faults["LD_LIBRARY_PATH"] = KERNELGEN_FAKE_DRIVER_FOLDER;
        faults["KERNELGEN_NVRTC"] = KERNELGEN_FAKE_NVRTC;
        faults["KERNELGEN_PYTHON"] = "/nowhere/python3";
        faults["KERNELGEN_CUDNN"] = "/nowhere/libcudnn.so.9";
        return kernelgen({"verify", "small", "--device", "cuda:0", "--variant", "constant", "--json"}, faults);
    }

    void expect(const Ran& ran, const std::string& status, const std::string& reason) {
        EXPECT_EQ(ran.json()["status"], status) << ran.output;
        EXPECT_THAT(ran.json()["reason"].get<std::string>(), HasSubstr(reason));
    }
};

TEST_F(Constant, HasTheInputsOfEachCall) {
    const Ran ran = verify();
    EXPECT_EQ(ran.exit.status, 0) << ran.output << ran.errors;
    EXPECT_GT(ran.json()["checks"], 10);
}

TEST_F(Constant, MustHoldTheInput) {
    expect(verify({{"FAKE_DRIVER_CONSTANT_BYTES", "4000"}}), "over_limit",
           "`filter` has 12000 bytes; the constant `d_filter`, into which it is copied, has 4000");
}

TEST_F(Constant, MustBeInTheSource) {
    expect(verify({{"FAKE_DRIVER_VARIABLE", "500"}}), "unavailable",
           "the built kernel has no `__constant__` variable `d_filter`");
    change(folder / "small",
           [](ordered_json& document) { document["variants"].back()["launch"]["args"][2]["constant"] = "d_filtre"; });
    expect(verify(), "build_failed", "nothing defines the constant `d_filtre`; declare it as `__constant__`");
}

TEST_F(Constant, IsKeptInTheProjectAndChecked) {
    const json info = kernelgen({"info", "small", "--json"}).json();
    EXPECT_FALSE(info.contains("errors")) << info;
    change(folder / "small",
           [](ordered_json& document) { document["variants"].back()["launch"]["args"][2]["from"] = "filtre"; });
    EXPECT_THAT(kernelgen({"info", "small"}).errors,
                HasSubstr("launch.args.from: unknown input `filtre`; did you mean `filter`?"));
}

}  // namespace
}  // namespace kernelgen
