// SPDX-License-Identifier: Apache-2.0
// Tensor maps as launch arguments, on stand-ins for NVIDIA's compiler and driver.
#include <gmock/gmock.h>

#include "tests/cli/program.h"

namespace kernelgen {
namespace {

using nlohmann::ordered_json;
using ::testing::HasSubstr;
using testing::ProgramTest;
using testing::Ran;

class MappedInput : public ProgramTest {
protected:
    /// An operator that copies its input, and a kernel that has the input by a map alone.
    void SetUp() override {
        ProgramTest::SetUp();
        const Ran made = kernelgen({"new", "small", "--name", "copied", "--body", "out = x", "--input", "x:N",
                                    "--output", "out:N", "--case", "N=3000,dtype=f32"});
        ASSERT_EQ(made.exit.status, 0) << made.errors;
        ASSERT_TRUE(write_file_atomic(folder / "small/mapped.cu", "// compiled by a stand-in\n"));
        change(folder / "small", [](ordered_json& document) {
            ordered_json variant = {
                {"name", "mapped"}, {"language", "cuda"}, {"source", "mapped.cu"}, {"entry", "bias_add"}};
            variant["launch"] = {
                {"grid", {1}}, {"args", {"out", {{"tensor_map", "x"}, {"box", {32}}}, "N"}}, {"block", {32}}};
            document["variants"].push_back(variant);
        });
    }

    Ran verify(std::map<std::string, std::string> faults = {}) {
        faults["FAKE_DRIVER_COPIES_MAPPED"] = "1";
        faults["LD_LIBRARY_PATH"] = KERNELGEN_FAKE_DRIVER_FOLDER;
        faults["KERNELGEN_NVRTC"] = KERNELGEN_FAKE_NVRTC;
        faults["KERNELGEN_PYTHON"] = "/nowhere/python3";
        faults["KERNELGEN_CUDNN"] = "/nowhere/libcudnn.so.9";
        return kernelgen({"verify", "small", "--device", "cuda:0", "--variant", "mapped", "--json"}, faults);
    }

    /// Changes the map of the project.
    void change_map(const std::string& key, const ordered_json& value) {
        change(folder / "small",
               [&](ordered_json& document) { document["variants"].back()["launch"]["args"][1][key] = value; });
    }
};

TEST_F(MappedInput, IsThatOfEachCall) {
    const Ran ran = verify();
    EXPECT_EQ(ran.exit.status, 0) << ran.output << ran.errors;
    EXPECT_GT(ran.json()["checks"], 10);
}

TEST_F(MappedInput, IsAMapOfZerosWhereTheCopyEngineCannotHaveIt) {
    EXPECT_EQ(verify({{"FAKE_DRIVER_TENSOR_MAP", "1"}}).json()["status"], "unwritten");
    change_map("box", {3});
    EXPECT_EQ(verify().json()["status"], "unwritten");
}

TEST_F(MappedInput, IsCheckedWithTheProject) {
    const std::vector<std::tuple<std::string, ordered_json, std::string>> wrong = {
        {"box", ordered_json::array(), "launch.args.box: a box has one to five axes"},
        {"box", {"BLOCK"}, "launch.args.box:1:1: unknown name `BLOCK`"},
        {"swizzle", 48, "launch.args.swizzle: a swizzle is 0, 32, 64 or 128 bytes"},
        {"tensor_map", "y", "launch.args.tensor_map: unknown input or output `y`"}};
    for (const auto& [key, value, message] : wrong) {
        const ordered_json before = key == "box" ? ordered_json{32} : key == "swizzle" ? ordered_json(0) : "x";
        change_map(key, value);
        EXPECT_THAT(kernelgen({"info", "small"}).errors, HasSubstr(message));
        change_map(key, before);
    }
}

}  // namespace
}  // namespace kernelgen
