// SPDX-License-Identifier: Apache-2.0
#include "core/worker/messages.h"

#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/base/json_format.h"
#include "core/base/json_values.h"
#include "core/project/names.h"
#include "core/project/project_file.h"
#include "core/project/validate.h"

namespace kernelgen {

using nlohmann::json;

namespace {

/// Reads the fields of a request and collects what is wrong with them.
class RequestReader {
public:
    explicit RequestReader(const json& source) : source_(source) {}

    template <class T>
    void field(const char* key, T& value, bool required = true) {
        if (!source_.contains(key)) {
            if (required) note(key, "is missing");
            return;
        }
        try {
            source_.at(key).get_to(value);
        } catch (const json::exception&) {
            note(key, "has the wrong type");
        }
    }

    template <class T, class Read>
    void part(const char* key, T& value, Read read) {
        if (!source_.contains(key)) return note(key, "is missing");
        Validated<T> result = read(source_.at(key));
        if (result) {
            value = std::move(*result);
            return;
        }
        for (Diagnostic& diagnostic : result.error()) {
            diagnostic.where = std::string(key) + (diagnostic.where.empty() ? "" : "." + diagnostic.where);
            diagnostics_.push_back(std::move(diagnostic));
        }
    }

    /// `value`, or everything that is wrong: with its fields, else what `validate` finds in the whole.
    template <class T, class Validate>
    Validated<T> finish(T value, Validate validate) {
        if (diagnostics_.empty()) {
            Findings findings;
            validate(value, findings);
            diagnostics_ = findings.take();
            for (Diagnostic& diagnostic : diagnostics_) diagnostic.file = "request";
        }
        if (diagnostics_.empty()) return value;
        return std::unexpected(std::move(diagnostics_));
    }

    /// Everything that is wrong with a part of this request.
    void take(const RequestReader& part, const std::string& where) {
        for (Diagnostic diagnostic : part.diagnostics_) {
            diagnostic.where = where + (diagnostic.where.empty() ? "" : "." + diagnostic.where);
            diagnostics_.push_back(std::move(diagnostic));
        }
    }

    void note(const std::string& where, const Said& message) {
        diagnostics_.push_back({"request", where, message, ""});
    }

private:
    const json& source_;
    Diagnostics diagnostics_;
};

Validated<std::vector<Case>> cases_from_json(const json& source) {
    std::vector<Case> cases;
    if (!source.is_array()) return std::unexpected(Diagnostics{{"request", "", "expected an array of cases", ""}});
    for (const json& element : source) {
        Validated<Case> binding = case_from_json(element);
        if (!binding) return std::unexpected(binding.error());
        cases.push_back(std::move(*binding));
    }
    return cases;
}

Validated<std::vector<Implementation>> implementations_from_json(const json& source) {
    if (!source.is_array() || source.empty())
        return std::unexpected(Diagnostics{{"request", "", "expected a list of implementations", ""}});
    std::vector<Implementation> implementations;
    for (const json& each : source) {
        Validated<Implementation> implementation = implementation_from_json(each);
        if (!implementation) return std::unexpected(std::move(implementation.error()));
        implementations.push_back(std::move(*implementation));
    }
    return implementations;
}

/// The variant, its files' names, which must stay in the folder that they are written into, and a value for each of
/// its tunables: its own for one that the request leaves out.
void validate_implementation(const Operator& definition, Implementation& implementation, const std::string& where,
                             Findings& findings) {
    validate_variant(definition, implementation.variant, where + ".variant", findings);
    for (const auto& [file, text] : implementation.files) {
        if (const auto problem = source_path_problem(file)) {
            findings.add(where + ".files", "`" + file + "` " + *problem);
        }
    }
    for (const std::string& each : implementation.variant.sources) {
        if (implementation.files.contains(std::filesystem::path(each).lexically_normal().generic_string())) continue;
        findings.add(where + ".files", "the text of `" + each + "`, which `sources` lists, is missing");
    }
    Result<Configuration> whole =
        with_changes(implementation.variant, configuration_of(implementation.variant), implementation.configuration);
    if (whole) implementation.configuration = std::move(*whole);
    else findings.add(where + ".configuration", whole.error().message);
}

void validate_build(BuildRequest& request, Findings& findings) {
    const std::optional<Body> body = validate_definition(request.definition, findings);
    const auto validate_trial = [&](const Sizes& sizes, const std::string& where) {
        validate_case(request.definition, body ? &*body : nullptr, Case{"trial", request.dtype, sizes}, where,
                      findings);
    };
    if (request.trial) validate_trial(*request.trial, "trial");
    for (std::size_t i = 0; i < request.further_trials.size(); ++i)
        validate_trial(request.further_trials[i], element_path("further_trials", i));
    validate_implementation(request.definition, request.implementation, "implementation", findings);
}

void validate_verification(VerifyRequest& request, Findings& findings) {
    const std::optional<Body> body = validate_definition(request.definition, findings);
    for (std::size_t i = 0; i < request.cases.size(); ++i) {
        validate_case(request.definition, body ? &*body : nullptr, request.cases[i], element_path("cases", i),
                      findings);
    }
    validate_implementation(request.definition, request.candidate, "candidate", findings);
    if (request.reference) {
        validate_implementation(request.definition, *request.reference, "reference", findings);
    }
}

void validate_bench(BenchRequest& request, Findings& findings) {
    const std::optional<Body> body = validate_definition(request.definition, findings);
    validate_case(request.definition, body ? &*body : nullptr, request.binding, "case", findings);
    for (Implementation& candidate : request.candidates) {
        validate_implementation(request.definition, candidate, "candidate", findings);
    }
    validate_implementation(request.definition, request.baseline, "baseline", findings);
    if (request.reference) {
        validate_implementation(request.definition, *request.reference, "reference", findings);
    }
}

void validate_model(ModelRequest& request, Findings& findings) {
    Operator definition;
    definition.family = Family::callable;
    definition.file = request.definition.variant.source;
    validate_implementation(definition, request.definition, "definition", findings);
    if (request.part && (request.part->first < 1 || request.part->last < request.part->first))
        findings.add("part", "expected the numbers of a first and a last call, from 1");
}

}  // namespace

json to_json(const BuildRequest& request) {
    json result = {{"operator", to_json(request.definition)},
                   {"implementation", to_json(request.implementation)},
                   {"dtype", to_string(request.dtype)},
                   {"device", request.device},
                   {"texts", request.texts},
                   {"timeout_seconds", request.timeout_seconds}};
    if (request.trial) result["trial"] = *request.trial;
    if (request.is_ahead) result["is_ahead"] = true;
    if (!request.further_trials.empty()) result["further_trials"] = request.further_trials;
    return result;
}

Validated<BuildRequest> build_request_from_json(const json& source) {
    RequestReader reader(source);
    BuildRequest request;
    std::string dtype;
    reader.part("operator", request.definition, operator_from_json);
    reader.part("implementation", request.implementation, implementation_from_json);
    reader.field("dtype", dtype);
    reader.field("device", request.device);
    reader.field("texts", request.texts, false);
    if (source.contains("trial")) reader.field("trial", request.trial.emplace());
    reader.field("timeout_seconds", request.timeout_seconds, false);
    reader.field("is_ahead", request.is_ahead, false);
    reader.field("further_trials", request.further_trials, false);
    if (const auto parsed = parse_dtype(dtype)) {
        request.dtype = *parsed;
    } else {
        reader.note("dtype", "`" + dtype + "` is no dtype");
    }
    return reader.finish(std::move(request), validate_build);
}

json to_json(const VerifyRequest& request) {
    json result = {{"operator", to_json(request.definition)},
                   {"cases", json::array()},
                   {"accuracy", to_json(request.accuracy)},
                   {"candidate", to_json(request.candidate)},
                   {"device", request.device},
                   {"timeout_seconds", request.timeout_seconds},
                   {"dump_folder", request.dump_folder},
                   {"own_cases_only", request.own_cases_only},
                   {"is_screen", request.is_screen}};
    for (const Case& binding : request.cases) result["cases"].push_back(json(to_json(binding)));
    if (request.reference) result["reference"] = to_json(*request.reference);
    return result;
}

Validated<VerifyRequest> verify_request_from_json(const json& source) {
    RequestReader reader(source);
    VerifyRequest request;
    reader.part("operator", request.definition, operator_from_json);
    reader.part("cases", request.cases, cases_from_json);
    reader.part("accuracy", request.accuracy, accuracy_from_json);
    reader.part("candidate", request.candidate, implementation_from_json);
    if (source.contains("reference")) reader.part("reference", request.reference.emplace(), implementation_from_json);
    reader.field("device", request.device);
    reader.field("timeout_seconds", request.timeout_seconds);
    reader.field("dump_folder", request.dump_folder, false);
    reader.field("own_cases_only", request.own_cases_only, false);
    reader.field("is_screen", request.is_screen, false);
    return reader.finish(std::move(request), validate_verification);
}

json to_json(const ExplainRequest& request) {
    json result = to_json(request.verification);
    result["failing"] = {
        {"case", json(to_json(request.binding))}, {"set", to_string(request.set)}, {"seed", request.seed}};
    result["most_seconds"] = json_number(request.most_seconds);
    return result;
}

namespace {

/// The check that failed, of an explanation's request.
void read_failing_check(const json& source, ExplainRequest& request, RequestReader& reader) {
    RequestReader check(source);
    std::string set;
    check.part("case", request.binding, case_from_json);
    check.field("set", set);
    check.field("seed", request.seed);
    if (const auto parsed = parse_input_set(set)) request.set = *parsed;
    else check.note("set", "`" + set + "` is no set of inputs");
    reader.take(check, "failing");
}

void validate_explanation(ExplainRequest& request, Findings& findings) {
    validate_verification(request.verification, findings);
    const std::optional<Body> body = validate_definition(request.verification.definition, findings);
    validate_case(request.verification.definition, body ? &*body : nullptr, request.binding, "failing.case", findings);
    if (!(request.most_seconds > 0 && request.most_seconds <= 600))
        findings.add("most_seconds", "expected seconds above 0, at most 600");
}

}  // namespace

Validated<ExplainRequest> explain_request_from_json(const json& source) {
    Validated<VerifyRequest> verification = verify_request_from_json(source);
    if (!verification) return std::unexpected(verification.error());
    RequestReader reader(source);
    ExplainRequest request{std::move(*verification), {}};
    if (source.contains("failing") && source.at("failing").is_object())
        read_failing_check(source.at("failing"), request, reader);
    else reader.note("failing", "expected the check that failed: `case`, `set` and `seed`");
    reader.field("most_seconds", request.most_seconds, false);
    return reader.finish(std::move(request), validate_explanation);
}

json to_json(const BenchRequest& request) {
    json result = {{"operator", to_json(request.definition)},    {"case", to_json(request.binding)},
                   {"accuracy", to_json(request.accuracy)},      {"performance", to_json(request.performance)},
                   {"baseline", to_json(request.baseline)},      {"device", request.device},
                   {"timeout_seconds", request.timeout_seconds}, {"counters", request.counters}};
    if (request.candidates.size() == 1) result["candidate"] = to_json(request.candidates[0]);
    for (std::size_t i = 0; request.candidates.size() > 1 && i < request.candidates.size(); ++i) {
        result["candidates"].push_back(json(to_json(request.candidates[i])));
    }
    if (request.reference) result["reference"] = to_json(*request.reference);
    return result;
}

Validated<BenchRequest> bench_request_from_json(const json& source) {
    RequestReader reader(source);
    BenchRequest request;
    reader.part("operator", request.definition, operator_from_json);
    reader.part("case", request.binding, case_from_json);
    reader.part("accuracy", request.accuracy, accuracy_from_json);
    reader.part("performance", request.performance, performance_from_json);
    if (source.contains("candidates")) reader.part("candidates", request.candidates, implementations_from_json);
    else reader.part("candidate", request.candidates.emplace_back(), implementation_from_json);
    reader.part("baseline", request.baseline, implementation_from_json);
    if (source.contains("reference")) reader.part("reference", request.reference.emplace(), implementation_from_json);
    reader.field("device", request.device);
    reader.field("timeout_seconds", request.timeout_seconds);
    reader.field("counters", request.counters, false);
    return reader.finish(std::move(request), validate_bench);
}

json to_json(const RaceRequest& request) {
    json result = to_json(request.sides);
    result["leave_above"] = json_number(request.leave_above);
    result["most_pairs"] = request.most_pairs;
    result["energy_seconds"] = request.energy_seconds;
    if (request.tell) result["tells_first_pairs"] = true;
    return result;
}

Validated<RaceRequest> race_request_from_json(const json& source) {
    Validated<BenchRequest> sides = bench_request_from_json(source);
    if (!sides) return std::unexpected(sides.error());
    RaceRequest request{std::move(*sides)};
    if (source.contains("leave_above")) request.leave_above = number_from_json(source.at("leave_above"));
    if (source.contains("energy_seconds")) request.energy_seconds = number_from_json(source.at("energy_seconds"));
    const std::string pairs = "most_pairs";
    if (!source.contains(pairs)) return request;
    constexpr std::int64_t least = 1, most = 10'000;
    Diagnostics wrong;
    const JsonPlace place(source, wrong);
    read(place.member(pairs, source.at(pairs)), Within{request.most_pairs, least, most});
    for (Diagnostic& each : wrong) each.file = "request";
    if (!wrong.empty()) return std::unexpected(std::move(wrong));
    return request;
}

json to_json(const HamperRequest& request) {
    json result = to_json(request.sides);
    result["bandwidth"] = json_number(request.bandwidth);
    result["threads"] = request.threads;
    return result;
}

Validated<HamperRequest> hamper_request_from_json(const json& source) {
    Validated<BenchRequest> sides = bench_request_from_json(source);
    if (!sides) return std::unexpected(sides.error());
    RequestReader reader(source);
    HamperRequest request{std::move(*sides)};
    reader.field("bandwidth", request.bandwidth, false);
    reader.field("threads", request.threads, false);
    return reader.finish(std::move(request), [](HamperRequest& read, Findings& findings) {
        if (!(read.bandwidth > 0 && read.bandwidth <= 1))
            findings.add("bandwidth", "expected a share above 0, at most 1");
        if (read.threads < 0) findings.add("threads", "expected a number of threads, or 0 for all");
    });
}

json to_json(const ModelRequest& request) {
    json result = {{"definition", to_json(request.definition)},
                   {"case", to_json(request.binding)},
                   {"device", request.device},
                   {"timeout_seconds", request.timeout_seconds}};
    if (request.part) result["part"] = {request.part->first, request.part->last};
    return result;
}

Validated<ModelRequest> model_request_from_json(const json& source) {
    RequestReader reader(source);
    ModelRequest request;
    std::array<int, 2> part{};
    reader.part("definition", request.definition, implementation_from_json);
    reader.part("case", request.binding, case_from_json);
    reader.field("device", request.device);
    reader.field("timeout_seconds", request.timeout_seconds, false);
    reader.field("part", part, false);
    if (source.contains("part")) request.part = {part[0], part[1]};
    return reader.finish(std::move(request), validate_model);
}

}  // namespace kernelgen
