// SPDX-License-Identifier: Apache-2.0
// What is exported is read by Kernel Tuner itself, where KERNELGEN_KERNEL_TUNER names a Python that has it.
#include <cstdlib>

#include "core/tune/tuning_file.h"
#include "tests/cli/program.h"

namespace kernelgen {
namespace {

constexpr const char* reader = R"py(import json, sys
import jsonschema
from kernel_tuner.file_utils import output_file_schema
version, schema = output_file_schema("results")
with open(sys.argv[1]) as file:
    document = json.load(file)
jsonschema.Draft202012Validator.check_schema(schema)
jsonschema.validate(document, schema)
assert document["schema_version"] == version, version
print([each["invalidity"] for each in document["results"]])
)py";

class KernelTuner : public testing::ProgramTest {
protected:
    void SetUp() override {
        ProgramTest::SetUp();
        const char* named = std::getenv("KERNELGEN_KERNEL_TUNER");
        if (named == nullptr || *named == '\0')
            GTEST_SKIP() << "KERNELGEN_KERNEL_TUNER names no Python with Kernel Tuner; ./dev test installs one";
        python = named;
        const Finished found = run({"-c", "import kernel_tuner"});
        if (!found.exit.success()) GTEST_SKIP() << python << " has no Kernel Tuner: " << found.output;
    }

    Finished run(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), python);
        const Command command{.arguments = arguments, .environment = {}, .folder = folder.string(), .descriptors = {}};
        return run_to_end(command, {}, std::chrono::minutes(2), 1 << 20).value();
    }

    std::string python;
};

TEST_F(KernelTuner, ReadsAnExportedTuning) {
    const std::filesystem::path project = small_project();
    TuningHead head;
    head.time = "2026-11-23T02:00:00Z";
    head.variant = "host";
    head.device = "cpu";
    head.strategy = "model";
    head.objective = "time";
    {
        TuningFile file = TuningFile::open(project).value();
        ASSERT_TRUE(file.begin(head));
        for (const Status status : {Status::ok, Status::build_failed, Status::timed_out, Status::mismatch,
                                    Status::restricted, Status::crashed}) {
            Tried tried{.configuration = {{"BLOCK_M", static_cast<int>(status)}}, .status = status};
            tried.seconds = tried.objective = 0.001;
            tried.samples = {0.001, 0.0011};
            ASSERT_TRUE(file.append(tried));
        }
    }
    ASSERT_EQ(kernelgen({"export", "small", "--tuning", "1", "-o", "tuning.json"}).exit.status, 0);
    ASSERT_TRUE(write_file_atomic(folder / "reader.py", reader));
    const Finished ran = run({"reader.py", "tuning.json"});
    EXPECT_EQ(ran.exit.status, 0) << ran.output;
    EXPECT_EQ(ran.output, "['correct', 'compile', 'timeout', 'correctness', 'constraints', 'runtime']\n");
}

}  // namespace
}  // namespace kernelgen
