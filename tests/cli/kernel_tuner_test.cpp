// SPDX-License-Identifier: Apache-2.0
// What is exported is read by Kernel Tuner itself, where KERNELGEN_KERNEL_TUNER names a Python that has it.
#include <cstdlib>
#include <format>

#include "core/tune/space.h"
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

/// Each file is checked by the schema of T1.
constexpr const char* space_reader = R"py(import sys
from pathlib import Path
from kernel_tuner.file_utils import get_input_file
from kernel_tuner.searchspace import Searchspace
for name in sys.argv[1:]:
    space = get_input_file(Path(name))["ConfigurationSpace"]
    parameters = {each["Name"]: eval(each["Values"]) for each in space["TuningParameters"]}
    conditions = [each["Expression"] for each in space["Conditions"]]
    print(sorted(list(each) for each in Searchspace(parameters, conditions, 1024).list))
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
    head.cases = {head.binding};
    head.parameters = {{"BLOCK_M", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, 0}};
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

/// As Python prints a list of lists.
std::string printed(const TuningSpace& space) {
    std::string text;
    for (std::size_t i = 0; i < space.size(); ++i) {
        const Configuration each = space.at(i);
        text += std::format("{}[{}, {}]", i == 0 ? "" : ", ", each.at("A"), each.at("B"));
    }
    return "[" + text + "]\n";
}

TEST_F(KernelTuner, FindsTheSameConfigurationsInAnExportedSpace) {
    const std::filesystem::path project = small_project();
    std::vector<std::string> reading = {"reader.py"};
    std::string expected;
    for (const char* restriction :
         {"both <= 40", "tiles > 3 && both != 8", "pow2ceil(A) == 4 or B == 5", "A / 2 == 4", "cdiv(A, B) == 2",
          "!(B > A)", "A > 4 ? B > 2 : B == 2", "2 <= A - B and A % 2 == 1", "pow2ceil(A + 1) < 8"}) {
        TuningHead head{.time = "2026-11-23T02:00:00Z"};
        head.variant = "host";
        head.device = "cpu";
        head.cases = {head.binding};
        head.parameters = {{"A", {1, 3, 4, 8, 9}, 3}, {"B", {1, 2, 5}, 2}};
        head.let = {"tiles = cdiv(N, A)", "both = A * B"};
        head.sizes = {{"N", 10}};
        head.restrictions = {restriction};
        head.strategy = "model";
        head.objective = "time";
        ASSERT_TRUE(TuningFile::open(project)->begin(head));
        const std::string number = std::to_string(head.number);
        reading.push_back(number + ".json");
        const auto exported =
            kernelgen({"export", "small", "--tuning", number, "--format", "t1", "-o", reading.back()});
        ASSERT_EQ(exported.exit.status, 0) << exported.errors;
        expected += printed(
            TuningSpace::make(head.parameters, head.restrictions, head.sizes, {.let = head.let, .terms = {}}).value());
    }
    ASSERT_TRUE(write_file_atomic(folder / "reader.py", space_reader));
    const Finished ran = run(reading);
    EXPECT_EQ(ran.exit.status, 0) << ran.output;
    EXPECT_EQ(ran.output, expected);
}

}  // namespace
}  // namespace kernelgen
