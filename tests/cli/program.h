// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/file.h"
#include "core/base/process.h"

namespace kernelgen::testing {

/// What one call of the program did.
struct Ran {
    Exit exit;
    std::string output;  ///< stdout alone
    std::string errors;

    nlohmann::json json() const { return nlohmann::json::parse(output); }
};

/// A test over the built program and a folder of its own.
class ProgramTest : public ::testing::Test {
protected:
    void SetUp() override {
        std::string pattern = (std::filesystem::temp_directory_path() / "kernelgen-cli-XXXXXX").string();
        ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
        folder = pattern;
    }
    void TearDown() override {
        std::error_code ignored;
        std::filesystem::remove_all(folder, ignored);
    }

    /// Runs `kernelgen` with these arguments in the test's folder.
    Ran kernelgen(const std::vector<std::string>& arguments,
                  const std::map<std::string, std::string>& environment = {}) {
        const std::filesystem::path errors = folder / "stderr";
        Command command{.arguments = {"sh", "-c", "exec \"$0\" \"$@\" 2>\"$ERRORS\"", KERNELGEN_PROGRAM},
                        .environment = environment,
                        .folder = folder.string(),
                        .descriptors = {}};
        command.environment["ERRORS"] = errors.string();
        command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
        const Result<Finished> finished = run_to_end(command, {}, std::chrono::minutes(2), 16 << 20);
        if (!finished) {
            ADD_FAILURE() << finished.error().message;
            return {};
        }
        return {finished->exit, finished->output, read_file(errors).value_or("")};
    }

    /// A project of one small case that is timed for half a second.
    std::filesystem::path small_project(const std::string& body = "out = x + bias") {
        const Ran made = kernelgen({"new", "small", "--name", "small", "--body", body, "--input", "x:P,D", "--input",
                                    "bias:D", "--output", "out:P,D", "--case", "P=64,D=300,dtype=f32"});
        EXPECT_EQ(made.exit.status, 0) << made.errors;
        const std::filesystem::path project = folder / "small";
        change(project, [](nlohmann::ordered_json& document) { document["performance"]["budget_seconds"] = 0.5; });
        return project;
    }

    template <class Edit>
    void change(const std::filesystem::path& project, Edit edit) {
        auto json = nlohmann::ordered_json::parse(read_file(project / "project.json").value());
        edit(json);
        ASSERT_TRUE(write_file_atomic(project / "project.json", json.dump(2)));
    }

    std::filesystem::path folder;
};

}  // namespace kernelgen::testing
