// SPDX-License-Identifier: Apache-2.0
// What a user reads where the driver, the device or its memory cannot be used.
#include <gmock/gmock.h>

#include "tests/cli/program.h"

namespace kernelgen {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using testing::ProgramTest;
using testing::Ran;

class DriverFault : public ProgramTest {
protected:
    void SetUp() override {
        ProgramTest::SetUp();
        const Ran made =
            kernelgen({"new", "small", "--name", "bias_add", "--body", "out = x + bias", "--input", "x:P,D", "--input",
                       "bias:D", "--output", "out:P,D", "--case", "P=64,D=300,dtype=f32"});
        ASSERT_EQ(made.exit.status, 0) << made.errors;
    }

    Ran with_driver(std::vector<std::string> arguments, std::map<std::string, std::string> faults) {
        faults["LD_LIBRARY_PATH"] = KERNELGEN_FAKE_DRIVER_FOLDER;
        faults["KERNELGEN_NVRTC"] = KERNELGEN_FAKE_NVRTC;
        faults["KERNELGEN_PYTHON"] = "/nowhere/python3";
        faults["KERNELGEN_CUDNN"] = "/nowhere/libcudnn.so.9";
        arguments.push_back("--json");
        return kernelgen(arguments, faults);
    }

    std::string why_unavailable(const std::string& fault, const std::string& value) {
        const json devices = with_driver({"devices"}, {{"FAKE_DRIVER_" + fault, value}}).json()["devices"];
        for (const json& each : devices) {
            if (each["name"] == "cuda:0") return each["available"] == true ? "available" : each["reason"];
        }
        return "not listed";
    }

    Ran verify(const std::map<std::string, std::string>& faults) {
        return with_driver({"verify", "small", "--device", "cuda:0", "--variant", "cuda", "--timeout",
                            faults.contains("FAKE_DRIVER_HANGS") ? "0.5" : "30"},
                           faults);
    }

    void expect(const std::string& fault, const std::string& value, int exit_status, const std::string& status,
                const std::string& reason) {
        const Ran ran = verify({{"FAKE_DRIVER_" + fault, value}});
        EXPECT_EQ(ran.exit.status, exit_status) << ran.errors;
        EXPECT_EQ(ran.json()["status"], status);
        EXPECT_THAT(ran.json()["reason"].get<std::string>(), HasSubstr(reason));
    }
};

TEST_F(DriverFault, ThereIsNoneWithADriverOfWhichAllCallsSucceed) {
    EXPECT_EQ(why_unavailable("VERSION", "13000"), "available");
    const Ran ran = verify({});
    EXPECT_EQ(ran.json()["status"], "unwritten") << ran.output;  // for its kernels do nothing
}

TEST_F(DriverFault, ThereIsNoneWithAKernelThatANameExpressionFinds) {
    change(folder / "small", [](nlohmann::ordered_json& document) {
        for (auto& each : document["variants"]) {
            if (each["name"] == "cuda") each["entry"] = "bias_add<float>";
        }
    });
    EXPECT_EQ(verify({}).json()["status"], "unwritten");
}

TEST_F(DriverFault, ADriverThatCannotBeUsedIsSaidByTheDeviceList) {
    EXPECT_THAT(why_unavailable("VERSION", "11040"),
                HasSubstr("too old: it is for CUDA 11.4; install one for CUDA 12"));
    EXPECT_THAT(why_unavailable("INIT", "999"), HasSubstr("does not start: as the test wants it (FAKE_ERROR_999)"));
    EXPECT_THAT(why_unavailable("DEVICES", "0"), HasSubstr("finds no GPU"));
}

TEST_F(DriverFault, ADeviceThatAnotherProcessHasIsUnavailable) {
    expect("CONTEXT", "46", 4, "unavailable", "another process holds it for itself: wait for it, or end it");
    expect("CONTEXT", "2", 4, "unavailable", "other processes have taken its memory: nvidia-smi lists them");
}

TEST_F(DriverFault, AKernelThatTheDriverDoesNotUnderstandSaysWhatToDo) {
    for (const char* code : {"200", "209", "222"}) {
        expect("LOAD", code, 4, "unavailable",
               "by an NVRTC newer than the driver (CUDA 13.0): update the driver, or name an older NVRTC in "
               "KERNELGEN_NVRTC");
    }
}

TEST_F(DriverFault, WhatIsMoreThanTheDeviceHasIsRefused) {
    expect("FREE_BYTES", "1000000", 2, "over_limit", "1.00 MB of 8.59 GB are free");
    expect("THREADS", "16", 2, "over_limit", "threads a block; with its registers it can have 16");
}

TEST_F(DriverFault, AHungKernelIsEnded) { expect("HANGS", "1", 4, "timed_out", "no answer within 500 ms"); }

}  // namespace
}  // namespace kernelgen
