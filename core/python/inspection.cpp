// SPDX-License-Identifier: Apache-2.0
#include "core/python/inspection.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <nlohmann/json.hpp>
#include <system_error>

#include "core/base/file.h"
#include "core/base/keeper.h"
#include "core/base/process.h"
#include "core/base/text.h"
#include "core/base/text_file.h"
#include "core/python/inspection_program.h"
#include "core/python/interpreter.h"
#include "core/said/told.h"

namespace kernelgen {

using nlohmann::json;

namespace {

constexpr std::size_t answer_limit_bytes = 64 << 20;

/// A descriptor that a program reads `bytes` from.
class InputFile {
public:
    explicit InputFile(std::string_view bytes) : descriptor_(::memfd_create("kernelgen-input", MFD_CLOEXEC)) {
        while (!bytes.empty() && descriptor_ >= 0) {
            const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
            if (count < 0 && errno == EINTR) continue;
            if (count < 0) break;
            bytes.remove_prefix(static_cast<std::size_t>(count));
        }
        complete_ = descriptor_ >= 0 && bytes.empty() && ::lseek(descriptor_, 0, SEEK_SET) == 0;
    }
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;
    ~InputFile() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    bool complete() const { return complete_; }
    int descriptor() const { return descriptor_; }

private:
    int descriptor_;
    bool complete_ = false;
};

PythonParameter::Kind kind_of(const std::string& word) {
    if (word == "positional_only") return PythonParameter::Kind::positional_only;
    if (word == "keyword") return PythonParameter::Kind::keyword;
    if (word == "star") return PythonParameter::Kind::star;
    return word == "double_star" ? PythonParameter::Kind::double_star : PythonParameter::Kind::positional;
}

/// A text of the answer that may be null, which becomes an empty text.
std::string text_or_empty(const json& value) { return value.is_string() ? value.get<std::string>() : std::string(); }

template <class T>
std::optional<T> optional_of(const json& value) {
    return value.is_null() ? std::nullopt : std::optional<T>(value.get<T>());
}

PythonParameter parameter_of(const json& item) {
    return {.name = item.at("name"),
            .line = item.at("line"),
            .annotation = text_or_empty(item.at("annotation")),
            .default_value = optional_of<std::string>(item.at("default")),
            .kind = kind_of(item.at("kind")),
            .is_constexpr = item.value("constexpr", false)};
}

PythonCheck check_of(const json& item) {
    return {.line = item.at("line"), .condition = item.at("condition"), .parameters = item.at("parameters")};
}

PythonLaunch launch_of(const json& item) {
    return {.kernel = item.at("kernel"),
            .line = item.at("line"),
            .grid_rank = optional_of<int>(item.at("grid_rank")),
            .arguments = item.at("arguments"),
            .keywords = item.at("keywords"),
            .open = item.at("open")};
}

template <class T>
std::vector<T> list_of(const json& items, T (*make)(const json&)) {
    std::vector<T> list;
    for (const json& item : items) list.push_back(make(item));
    return list;
}

PythonFunction function_of(const json& item) {
    return {.name = item.at("name"),
            .line = item.at("line"),
            .parameters = list_of(item.at("parameters"), parameter_of),
            .returns = text_or_empty(item.at("returns")),
            .returned_values = item.at("returned_values"),
            .checks = list_of(item.at("checks"), check_of),
            .launches = list_of(item.at("launches"), launch_of),
            .calls = item.at("calls")};
}

PythonKernel kernel_of(const json& item) {
    return {.name = item.at("name"),
            .line = item.at("line"),
            .parameters = list_of(item.at("parameters"), parameter_of),
            .axes = item.at("axes"),
            .autotuned = item.at("autotuned")};
}

PythonImport import_of(const json& item) {
    return {.line = item.at("line"),
            .module = item.value("module", ""),
            .name = text_or_empty(item.at("name")),
            .as = item.value("as", "")};
}

TunableSite site_of(const json& item) {
    return {.name = item.at("name"),
            .value = item.at("value"),
            .line = item.at("line"),
            .column = item.at("column"),
            .start = item.at("start"),
            .end = item.at("end")};
}

Diagnostic problem_of(const std::string& file, const json& error) {
    return {file, "line " + std::to_string(error.at("line").get<int>()), told(error, "message"), ""};
}

PythonFile file_of(const std::string& name, const json& item) {
    PythonFile file;
    if (!item.at("error").is_null()) {
        file.error = problem_of(name, item.at("error"));
        return file;
    }
    file.functions = list_of(item.at("functions"), function_of);
    file.kernels = list_of(item.at("kernels"), kernel_of);
    file.imports = list_of(item.at("imports"), import_of);
    file.lambdas = list_of(item.at("lambdas"), import_of);
    if (item.contains("sites")) file.sites = list_of(item.at("sites"), site_of);
    return file;
}

/// What a program that has not answered says of it.
Said why_no_answer(const Finished& finished) {
    if (finished.exit.status == too_many_processes_status)
        return say("its test calls had more than {} processes and threads at once", kept_processes);
    const std::string printed(trim(finished.output));
    if (printed.empty())
        return say(
            "`{}` could not read the Python files: it {}; Python 3.10 or later is needed: install python3, or name one "
            "in KERNELGEN_PYTHON",
            python_program(), to_string(finished.exit));
    return say(
        "`{}` could not read the Python files: it {}, saying: {}; Python 3.10 or later is needed: install python3, or "
        "name one in KERNELGEN_PYTHON",
        python_program(), to_string(finished.exit), printed.substr(printed.rfind('\n') + 1));
}

Result<json> run_program(const std::string& program, const json& request, std::chrono::seconds limit,
                         std::stop_token stop, bool is_kept) {
    const std::string bytes = request.dump(-1, ' ', false, json::error_handler_t::replace);
    const InputFile input(bytes);
    if (!input.complete()) return fail(say("cannot hand files to Python: {}", std::generic_category().message(errno)));
    const std::string path = (resource_folder() / "python" / program).string();
    // -I and -S: nothing of the user's own Python, which the files might be mixed up with, is looked at.
    Command command{.arguments = {python_program(), "-I", "-S", "-B", path},
                    .environment = {},
                    .folder = {},
                    .input = input.descriptor(),
                    .descriptors = {},
                    .keeper = is_kept};
    if (is_kept) command.arguments = keeper_command(command.arguments);
    const Result<Finished> finished = run_to_end(command, std::move(stop), limit, answer_limit_bytes);
    if (!finished)
        return fail(
            say("cannot read Python files without `{}`: {}; Python 3.10 or later is needed: install python3, or name "
                "one in "
                "KERNELGEN_PYTHON",
                python_program(), finished.error().message));
    if (finished->stopped) return fail("cancelled");
    json answer = json::parse(finished->output, nullptr, false);
    if (finished->exit.success() && !answer.is_discarded()) return answer;
    return fail(why_no_answer(*finished));
}

Result<json> inspect(const json& request) { return run_inspection("kernelgen_sources.py", request); }

Diagnostic not_utf8(const std::string& file) { return {file, "", "the file is not UTF-8 text", "save it as UTF-8"}; }

template <class Item>
const Item* last_named(const std::vector<Item>& items, std::string_view name) {
    const auto found = std::ranges::find(items.rbegin(), items.rend(), name, &Item::name);
    return found == items.rend() ? nullptr : &*found;
}

}  // namespace

const PythonFunction* PythonFile::find_function(std::string_view name) const { return last_named(functions, name); }
const PythonKernel* PythonFile::find_kernel(std::string_view name) const { return last_named(kernels, name); }

Result<json> run_inspection(const std::string& program, const json& request, std::chrono::seconds limit,
                            std::stop_token stop) {
    return run_program(program, request, limit, std::move(stop), false);
}

Result<json> run_kept(const std::string& program, const json& request, std::chrono::seconds limit,
                      std::stop_token stop) {
    return run_program(program, request, limit, std::move(stop), true);
}

Result<std::map<std::string, PythonFile>> inspect_python(const std::map<std::string, std::string>& files,
                                                         const std::map<std::string, std::string>& entries) {
    std::map<std::string, PythonFile> result;
    json readable = json::object();
    for (const auto& [name, text] : files) {
        if (is_utf8(text)) readable[name] = text;
        else result[name].error = not_utf8(name);
    }
    const Result<json> answer = inspect({{"files", readable}, {"entries", entries}});
    if (!answer) return std::unexpected(answer.error());
    for (const auto& [name, item] : answer->at("files").items()) result[name] = file_of(name, item);
    return result;
}

namespace {

Validated<std::string> substituted(const std::string& file, const std::string& text, const std::string& entry,
                                   const Configuration& configuration, bool in_rules) {
    if (!is_utf8(text)) return std::unexpected(Diagnostics{not_utf8(file)});
    const json substitution = {
        {"file", file}, {"entry", entry}, {"configuration", configuration}, {"in_rules", in_rules}};
    const Result<json> answer = inspect({{"files", {{file, text}}}, {"substitutions", json::array({substitution})}});
    if (!answer) return std::unexpected(as_diagnostics(answer.error()));
    const json& result = answer->at("substituted").at(0);
    if (!result.at("error").is_null()) return std::unexpected(Diagnostics{problem_of(file, result.at("error"))});
    return result.at("text").get<std::string>();
}

}  // namespace

Validated<std::string> with_tunables(const std::string& file, const std::string& text, const std::string& entry,
                                     const Configuration& configuration) {
    return substituted(file, text, entry, configuration, true);
}

Validated<std::string> in_configuration(const Variant& variant, const std::string& text,
                                        const Configuration& configuration) {
    const bool has_literals = is_python(variant.language) && variant.launches.empty() && !configuration.empty();
    return has_literals ? substituted(variant.source, text, variant.entry, configuration, false) : text;
}

}  // namespace kernelgen
