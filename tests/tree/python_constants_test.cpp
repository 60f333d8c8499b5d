// SPDX-License-Identifier: Apache-2.0
// Numbers that the executor's Python files share with the C++ side. Nothing is executed, so PyTorch need not be there.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <regex>
#include <string>

#include "core/backend/executor_protocol.h"
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/python/executor_library.h"

namespace kernelgen {
namespace {

/// The integers that the file assigns at its top level: `A, B = 0, 1`.
std::map<std::string, int> constants_of(const std::string& name) {
    static const std::regex assignment(R"(([A-Z_]+(?:, [A-Z_]+)*) = ([0-9]+(?:, [0-9]+)*)(?: *#.*)?)");
    const std::string text = read_file(std::filesystem::path(KERNELGEN_SOURCE_DIR) / "resources/python" / name).value();
    std::map<std::string, int> constants;
    for (const std::string& line : split(text, '\n')) {
        std::smatch found;
        if (!std::regex_match(line, found, assignment)) continue;
        const std::vector<std::string> names = split(found.str(1), ','), values = split(found.str(2), ',');
        for (std::size_t i = 0; i < names.size() && i < values.size(); ++i)
            constants[std::string(trim(names[i]))] = std::stoi(values[i]);
    }
    return constants;
}

TEST(PythonFiles, AreOfTheExecutorsProtocol) {
    EXPECT_EQ(constants_of("kernelgen_executor.py").at("PROTOCOL"), executor_protocol_version);
}

TEST(PythonFiles, KnowTheModesOfACall) {
    const std::map<std::string, int> modes = constants_of("kernelgen_kernel.py");
    EXPECT_EQ(modes.at("TIMED"), kernelgen_call_timed);
    EXPECT_EQ(modes.at("JUDGED"), kernelgen_call_judged);
    EXPECT_EQ(modes.at("REPLAY"), kernelgen_call_replay);
    EXPECT_EQ(modes.at("FORGET"), kernelgen_call_forget);
}

}  // namespace
}  // namespace kernelgen
