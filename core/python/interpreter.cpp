// SPDX-License-Identifier: Apache-2.0
#include "core/python/interpreter.h"

#include <charconv>
#include <cstdlib>
#include <format>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/file.h"
#include "core/base/process.h"
#include "core/base/text.h"

namespace kernelgen {

using nlohmann::json;

namespace {

using Version = std::pair<int, int>;

constexpr Version least_python{3, 10};
constexpr auto answer_limit = std::chrono::seconds(20);

/// The first two numbers of "2.6.0+debian".
Version version_of(const std::string& text) {
    Version version{};
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, version.first);
    if (error == std::errc() && rest != end && *rest == '.') std::from_chars(rest + 1, end, version.second);
    return version;
}

Result<PythonInterpreter> ask(const std::string& program) {
    Command command{.arguments = {program, "-B", (resource_folder() / "python" / "kernelgen_versions.py").string()},
                    .environment = {},
                    .folder = {},
                    .descriptors = {}};
    const Result<Finished> finished = run_to_end(command, {}, answer_limit);
    if (!finished)
        return fail(
            say("Python variants need an interpreter: {}; install Python 3.10 or later, or name an interpreter in "
                "KERNELGEN_PYTHON",
                finished.error().message));
    if (finished->timed_out)
        return fail(say(
            "`{}` did not answer within 20 s; install Python 3.10 or later, or name an interpreter in KERNELGEN_PYTHON",
            program));
    const json answer = json::parse(finished->output, nullptr, false);
    if (!finished->exit.success() || !answer.is_object() || !answer.contains("python")) {
        const std::string printed(trim(finished->output));
        if (printed.empty())
            return fail(say(
                "`{}` is no Python that can be used: it {}; install Python 3.10 or later, or name an interpreter in "
                "KERNELGEN_PYTHON",
                program, to_string(finished->exit)));
        return fail(
            say("`{}` is no Python that can be used: it {}, saying: {}; install Python 3.10 or later, or name an "
                "interpreter in KERNELGEN_PYTHON",
                program, to_string(finished->exit), printed.substr(printed.rfind('\n') + 1)));
    }
    return PythonInterpreter{program,
                             answer.value("python", ""),
                             answer.value("torch", ""),
                             answer.value("triton", ""),
                             answer.value("numpy", ""),
                             answer.value("cuda", ""),
                             answer.value("torch_npu", false)};
}

struct Package {
    const char* name;
    const char* to_install;
    Version least;
};

constexpr Package torch_package{"PyTorch", "torch", {2, 4}}, triton_package{"Triton", "triton", {3, 0}},
    numpy_package{"NumPy", "numpy", {1, 22}};

/// Why a package will not do, of which the interpreter `has` a version; nothing where it will.
std::optional<Said> problem_of(const PythonInterpreter& interpreter, const Package& package, const std::string& has) {
    if (has.empty()) {
        return say("{} is not installed for `{}`: `{}`, or name an interpreter that has it in KERNELGEN_PYTHON",
                   package.name, interpreter.program,
                   std::format("{} -m pip install {}", interpreter.program, package.to_install));
    }
    const bool is_told = version_of(has) != Version();
    if (!is_told || version_of(has) >= package.least) return std::nullopt;
    return say("{} of `{}` is too old: {} or later is needed (`{}`)", std::format("{} {}", package.name, has),
               interpreter.program, std::format("{}.{}", package.least.first, package.least.second),
               std::format("{} -m pip install --upgrade {}", interpreter.program, package.to_install));
}

}  // namespace

std::string python_program() {
    const char* chosen = std::getenv("KERNELGEN_PYTHON");
    return chosen != nullptr && *chosen != '\0' ? chosen : "python3";
}

std::optional<Said> PythonInterpreter::lacks(Language language, const std::string& kind) const {
    if (version_of(python) < least_python) {
        return say("`{}` is Python {}; 3.10 or later is needed: name one in KERNELGEN_PYTHON", program, python);
    }
    if (auto problem = problem_of(*this, torch_package, torch)) return problem;
    if (auto problem = problem_of(*this, numpy_package, numpy)) return problem;
    if (kind == "cuda" && cuda.empty()) {
        return say("PyTorch {} of `{}` is built without CUDA: install one with it (`{} -m pip install torch`)", torch,
                   program, program);
    }
    return language == Language::triton ? problem_of(*this, triton_package, triton) : std::nullopt;
}

std::string PythonInterpreter::text() const {
    std::string text = "Python " + python;
    if (!torch.empty()) text += ", PyTorch " + torch;
    if (!triton.empty()) text += ", Triton " + triton;
    return text;
}

void add_python_languages(DeviceInfo& device) {
    const Result<PythonInterpreter>& interpreter = python_interpreter();
    if (!interpreter) return device.notes.push_back(interpreter.error().message);
    const std::string kind = kind_of_device(device.name);
    device.python = interpreter->text();
    std::optional<std::string> said;
    for (const Language language : {Language::torch, Language::triton}) {
        const std::optional<std::string> missing = interpreter->lacks(language, kind);
        if (!missing) device.languages.push_back(language);
        else if (missing != said) device.notes.push_back(*missing);
        said = missing;
    }
    if (interpreter->torch_npu) device.notes.push_back("torch_npu is installed: Ascend NPUs are untested");
}

const Result<PythonInterpreter>& python_interpreter() {
    static const Result<PythonInterpreter> interpreter = ask(python_program());
    return interpreter;
}

}  // namespace kernelgen
