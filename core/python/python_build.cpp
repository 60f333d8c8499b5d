// SPDX-License-Identifier: Apache-2.0
#include "core/python/python_build.h"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "core/backend/build_cache.h"
#include "core/backend/build_lock.h"
#include "core/backend/call_json.h"
#include "core/base/text.h"
#include "core/python/inspection.h"
#include "core/python/interpreter.h"

namespace kernelgen {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::size_t most_known = 1024;
constexpr auto patience = std::chrono::milliseconds(100);  ///< until it is asked whether to stop waiting

/// Seconds that compiling may take in a call. Each shape that is called may compile: a kernel by Triton, a whole
/// function by torch.compile. A file may build C++ itself (resources/python/kernelgen_inline.py).
double compile_seconds_of(const Implementation& implementation) {
    const Variant& variant = implementation.variant;
    if (variant.compile || implementation.text.contains("cpp_extension")) return 300;
    return variant.language == Language::triton ? 60 : 0;
}

Artifact artifact_of(const Implementation& implementation) {
    const Variant& variant = implementation.variant;
    Artifact artifact;
    artifact.language = variant.language;
    artifact.python = {variant.source,      implementation.text,
                       variant.entry,       implementation.configuration,
                       variant.compile,     compile_seconds_of(implementation),
                       implementation.files};
    artifact.python.callable = implementation.callable;
    return artifact;
}

std::string key_of(const BuildRequest& request) {
    json parts = to_json(artifact_of(request.implementation));
    parts["dtype"] = to_string(request.dtype);
    parts["device"] = request.device;
    parts["texts"] = request.texts;
    if (request.trial) parts["trial"] = *request.trial;
    if (const auto& interpreter = python_interpreter()) parts["interpreter"] = interpreter->text();
    return hash_hex(parts.dump(-1, ' ', false, json::error_handler_t::replace));
}

/// The number of "line 12"; 0 where there is none.
int line_of(const Diagnostic& problem) {
    long long line = 0;
    if (problem.where.starts_with("line ")) parse_integer(problem.where.substr(5), line);
    return static_cast<int>(line);
}

void add_texts(const BuildRequest& request, const TrialReport& trial, BuildResult& result) {
    for (const std::string& name : request.texts) {
        if (const auto text = trial.texts.find(name); text != trial.texts.end()) {
            result.texts[name] = text->second;
            continue;
        }
        const bool is_of_gpus = name == "ttir" || name == "ttgir" || name == "ptx";
        const bool is_triton = request.implementation.variant.language == Language::triton;
        const Said why =
            !is_of_gpus ? say("a Python variant has ttir, ttgir and ptx")
            : is_triton ? say("nothing is compiled for a CPU: ask for a GPU or a model of one (--device cuda:h200)")
                        : say("`torch` variants have ttir, ttgir and ptx where PyTorch compiles by Triton");
        result.messages.push_back({"", 0, 0, "note", say("no {} of this build: {}", name, why)});
    }
}

/// A call of these sizes, planned.
Result<Call> trial_call(const BuildRequest& request) {
    return make_call(request.definition, request.implementation, {"trial", request.dtype, *request.trial});
}

}  // namespace

/// The checks of `substituted` (resources/python/kernelgen_sources.py) are all that can be said without executing.
BuildResult PythonBuilder::read_only(const BuildRequest& request) {
    BuildResult result;
    const Variant& variant = request.implementation.variant;
    const Validated<std::string> text =
        with_tunables(variant.source, request.implementation.text, variant.entry, request.implementation.configuration);
    if (!text) {
        for (const Diagnostic& problem : text.error()) {
            result.messages.push_back({variant.source, line_of(problem), 0, "error", problem.message});
        }
        end_build(result, Status::build_failed, to_string(text.error()));
    }
    return result;
}

/// Builds a variant of family `callable`: only checks that the file parses. The arguments of its calls are known only
/// once the definition was executed.
BuildResult PythonBuilder::parse_only(const BuildRequest& request) {
    BuildResult result;
    const Variant& variant = request.implementation.variant;
    const auto files = inspect_python({{variant.source, request.implementation.text}});
    if (!files) {
        end_build(result, Status::unavailable, files.error().message);
    } else if (const std::optional<Diagnostic>& wrong = files->at(variant.source).error) {
        result.messages.push_back({variant.source, line_of(*wrong), 0, "error", wrong->message});
        end_build(result, Status::build_failed, to_string(Diagnostics{*wrong}));
    }
    return result;
}

/// Tries a build out alone: one trial at a time, and none beside a timing on the device.
BuildResult PythonBuilder::try_out_alone(const BuildRequest& request, const std::string& key, const Start& start,
                                         const Describe& describe, const Progress& progress, std::stop_token stop) {
    BuildResult result;
    std::unique_lock one_at_a_time(trial_mutex_, std::defer_lock);
    while (!one_at_a_time.try_lock_for(patience)) {
        if (!stop.stop_requested()) continue;
        end_build(result, Status::cancelled, "cancelled");
        return result;
    }
    if (std::optional<BuildResult> known = find(key)) return *std::move(known);  // another one has just made it
    const Result<FileLock> lock = lock_for_build(request.device, progress, stop);
    if (!lock) {
        end_build(result, Status::cancelled, lock.error().message);
        return result;
    }
    return try_out(request, start, describe, std::move(stop));
}

BuildResult PythonBuilder::try_out(const BuildRequest& request, const Start& start, const Describe& describe,
                                   std::stop_token stop) {
    BuildResult result;
    const Result<Call> call = trial_call(request);
    if (!call) {
        end_build(result, Status::restricted, call.error().message);
        return result;
    }
    const Result<std::shared_ptr<Executor>> executor = start();
    if (!executor) {
        end_build(result, stop.stop_requested() ? Status::cancelled : Status::unavailable, executor.error().message);
        return result;
    }
    (*executor)->set_limit(request.timeout_seconds, stop);
    TrialReport trial;
    const Outcome tried = (*executor)->try_out(0, artifact_of(request.implementation), *call, trial);
    result.messages = std::move(trial.messages);
    if (!tried.ok()) {
        end_build(result, tried.status, tried.reason);
        return result;
    }
    add_texts(request, trial, result);
    describe(trial.kernels, result);
    return result;
}

std::optional<BuildResult> PythonBuilder::find(const std::string& key) {
    const std::lock_guard lock(mutex_);
    const auto known = std::ranges::find(known_, key, &BuildResult::key);
    if (known == known_.end()) return std::nullopt;
    known_.splice(known_.begin(), known_, known);
    BuildResult result = known_.front();
    result.cached = true;
    return result;
}

void PythonBuilder::remember(const BuildResult& result) {
    const bool depends_on_nothing_else = result.status == Status::ok || result.status == Status::build_failed;
    if (!depends_on_nothing_else) return;
    const std::lock_guard lock(mutex_);
    known_.push_front(result);
    if (known_.size() > most_known) known_.pop_back();
}

BuildResult PythonBuilder::build(const BuildRequest& request, const std::string& kind, const Start& start,
                                 const Describe& describe, const Progress& progress, std::stop_token stop) {
    BuildResult result;
    const Result<PythonInterpreter>& interpreter = python_interpreter();
    if (!interpreter) {
        end_build(result, Status::unavailable, interpreter.error().message);
        return result;
    }
    const auto missing = interpreter->lacks(request.implementation.variant.language, kind);
    if (missing && request.trial) {
        end_build(result, Status::unavailable, *missing);
        return result;
    }
    result = build_one(request, start, describe, progress, stop);
    for (const Sizes& sizes : request.further_trials) {
        if (result.status != Status::ok) break;
        BuildRequest further = request;
        further.trial = sizes;
        const BuildResult tried = build_one(further, start, describe, progress, stop);
        result.seconds += tried.seconds;
        if (tried.status != Status::ok) end_build(result, tried.status, tried.reason);
    }
    return result;
}

BuildResult PythonBuilder::build_one(const BuildRequest& request, const Start& start, const Describe& describe,
                                     const Progress& progress, std::stop_token stop) {
    const Clock::time_point begin = Clock::now();
    const std::string key = key_of(request);
    if (std::optional<BuildResult> known = find(key)) return *std::move(known);
    BuildResult result;
    if (has_file(request.definition.family)) result = parse_only(request);
    else if (!request.trial) result = read_only(request);
    else if (request.is_ahead) result = try_out(request, start, describe, stop);
    else result = try_out_alone(request, key, start, describe, progress, stop);
    result.key = key;
    result.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    if (result.status == Status::ok) result.artifact = artifact_of(request.implementation);
    remember(result);
    return result;
}

}  // namespace kernelgen
