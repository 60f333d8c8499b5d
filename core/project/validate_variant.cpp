// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <numeric>
#include <set>

#include "core/base/json_reader.h"
#include "core/base/text.h"
#include "core/lang/integer_expression.h"
#include "core/lang/lexer.h"
#include "core/project/by_case.h"
#include "core/project/launch_plan.h"
#include "core/project/name_expression.h"
#include "core/project/names.h"
#include "core/project/source_files.h"
#include "core/project/validate.h"
#include "core/project/values.h"

namespace kernelgen {

namespace {

const std::vector<std::string> interfaces = {"torch", "plain"};
const std::vector<std::string> libraries = {"onednn", "cudnn", "cublaslt"};

/// What the checks of one variant share.
struct Subject {
    const Operator& definition;
    const Variant& variant;
    const std::string& where;
    Findings& findings;
    std::vector<std::string> values;  ///< what its expressions may name

    void add(const std::string& key, Said message, Said suggestion = "") const {
        findings.add(key.empty() ? where : where + "." + key, std::move(message), std::move(suggestion));
    }
    void check_expression(const std::string& text, const std::string& key) const {
        const auto expression = IntegerExpression::parse(text, where + "." + key);
        findings.add(expression ? names_of(*expression) : expression.error());
    }
    /// The names of an expression that are unknown, with the numbers that the language's kernels have of their device.
    Diagnostics names_of(const IntegerExpression& expression) const {
        Diagnostics unknown = expression.check_names(values);
        for (Diagnostic& each : unknown) {
            if (!each.message.text().starts_with("unknown name `" + std::string(device_prefix))) continue;
            each.suggestion = "of the device a variant in `" + std::string(to_string(variant.language)) +
                              "` may name " + join(device_names(variant.language), ", ");
        }
        return unknown;
    }
    void check_expressions(const std::vector<std::string>& texts, const std::string& key) const {
        for (std::size_t i = 0; i < texts.size(); ++i) check_expression(texts[i], element_path(key, i));
    }
};

/// A key that only variants of another language have.
void check_absent(const Subject& subject, const std::string& key, bool present) {
    if (!present) return;
    subject.add(key, "has no meaning for language `" + std::string(to_string(subject.variant.language)) + "`",
                "remove it");
}

void check_name(const Subject& subject) {
    const std::string& name = subject.variant.name;
    const auto allowed = [](unsigned char c) {
        return c < 128 && (std::isalnum(c) || c == '_' || c == '-' || c == '.');
    };
    if (name.empty() || name.size() > 64 || !std::ranges::all_of(name, allowed)) {
        subject.add("name", in_backquotes(name) + " is no name for a variant",
                    "use up to 64 letters, digits, `_`, `-` and `.`");
    }
}

void check_tunable(const Subject& subject, const Tunable& tunable, const std::string& key) {
    if (tunable.values.empty()) return subject.add(key + ".values", "a tunable needs at least one value");
    if (tunable.values.front() < 0) subject.add(key + ".values", "values must not be negative");
    if (std::ranges::adjacent_find(tunable.values, std::ranges::greater_equal()) != tunable.values.end()) {
        subject.add(key + ".values", "values must ascend, each once");
    }
    if (std::ranges::find(tunable.values, tunable.value) == tunable.values.end()) {
        subject.add(key + ".value", std::to_string(tunable.value) + " is not among the values");
    }
}

/// Names of tunables, workspace buffers and `let` values, which stand beside those of the definition. A value may name
/// those before it, and is known to all expressions of the variant.
void check_own_names(Subject& subject) {
    std::vector<std::string> taken = names_of(subject.definition);
    const auto take = [&](const std::string& name, const std::string& key) {
        if (const auto problem = value_name_problem(name)) {
            subject.add(key, in_backquotes(name) + " " + *problem, "choose another name");
        } else if (std::ranges::find(taken, name) != taken.end()) {
            subject.add(key, "the name `" + name + "` is taken already", "choose another name");
        }
        taken.push_back(name);
    };
    for (std::size_t i = 0; i < subject.variant.tunables.size(); ++i) {
        const std::string key = element_path("tunables", i);
        take(subject.variant.tunables[i].name, key + ".name");
        check_tunable(subject, subject.variant.tunables[i], key);
    }
    for (std::size_t i = 0; i < subject.variant.let.size(); ++i) {
        const std::string key = element_path("let", i);
        const Validated<Let> let = parse_let(subject.variant.let[i], subject.where + "." + key);
        subject.findings.add(let ? subject.names_of(let->expression) : let.error());
        const std::string_view line = subject.variant.let[i];
        const std::string name = let ? let->name : std::string(trim(line.substr(0, line.find('='))));
        if (let) take(name, key);
        subject.values.push_back(name);
    }
    for (std::size_t i = 0; i < subject.variant.workspace.size(); ++i) {
        const std::string key = element_path("workspace", i);
        take(subject.variant.workspace[i].name, key + ".name");
        subject.check_expressions(subject.variant.workspace[i].shape, key + ".shape");
    }
}

void check_rule(const Subject& subject, const ConfigurationRule& rule, const std::string& key) {
    const auto condition = IntegerExpression::parse(rule.when, subject.where + "." + key + ".when");
    const std::vector<std::string> names = names_in_conditions(subject.definition, subject.variant.language);
    subject.findings.add(condition ? condition->check_names(names) : condition.error());
    if (rule.values.empty()) subject.add(key + ".values", "a rule needs at least one value");
    for (const auto& [name, value] : rule.values) {
        const Result<Configuration> set = with_changes(subject.variant, {}, {{name, value}});
        if (!set) subject.add(key + ".values", set.error().message);
    }
}

void check_rules(const Subject& subject) {
    const std::vector<ConfigurationRule>& rules = subject.variant.configurations;
    for (std::size_t i = 0; i < rules.size(); ++i) check_rule(subject, rules[i], element_path("configurations", i));
}

void check_language_of_launch(const Subject& subject, const Launch& launch, const std::string& key) {
    const Language language = subject.variant.language;
    if (language != Language::cpp) {
        check_absent(subject, key + ".order", !launch.order.empty());
        check_absent(subject, key + ".threads", !launch.threads.empty());
    }
    if (language != Language::cuda) {
        check_absent(subject, key + ".block", !launch.block.empty());
        check_absent(subject, key + ".shared_bytes", !launch.shared_bytes.empty());
    } else if (launch.block.empty() || launch.block.size() > 3) {
        subject.add(key, "the key `block` is missing", "give one to three numbers of threads");
    }
}

void check_constants(const Subject& subject, const Launch& launch, const std::string& key) {
    if (subject.variant.language != Language::cuda)
        return check_absent(subject, key + ".args.constant", !launch.constants.empty());
    std::vector<std::string> inputs;
    for (const Tensor& each : subject.definition.inputs) inputs.push_back(each.name);
    for (const ConstantCopy& each : launch.constants) {
        if (const auto problem = identifier_problem(each.constant)) {
            subject.add(key + ".args.constant", in_backquotes(each.constant) + " " + *problem,
                        "name a `__constant__` variable of the source");
        }
        if (!std::ranges::contains(inputs, each.from))
            subject.add(key + ".args.from", "unknown input " + in_backquotes(each.from), suggest(each.from, inputs));
    }
}

void check_tensor_maps(const Subject& subject, const Launch& launch, const std::string& key) {
    if (subject.variant.language != Language::cuda)
        return check_absent(subject, key + ".args.tensor_map", !launch.tensor_maps.empty());
    std::vector<std::string> tensors;
    for (const Tensor& each : subject.definition.inputs) tensors.push_back(each.name);
    for (const Tensor& each : subject.definition.outputs) tensors.push_back(each.name);
    for (const TensorMap& each : launch.tensor_maps) {
        if (!std::ranges::contains(tensors, each.tensor))
            subject.add(key + ".args.tensor_map", "unknown input or output " + in_backquotes(each.tensor),
                        suggest(each.tensor, tensors));
        if (each.box.empty() || each.box.size() > 5)
            subject.add(key + ".args.box", "a box has one to five axes", "give its size along the tensor's last axes");
        for (const std::string& size : each.box) subject.check_expression(size, key + ".args.box");
        if (constexpr int swizzles[] = {0, 32, 64, 128}; !std::ranges::contains(swizzles, each.swizzle))
            subject.add(key + ".args.swizzle", "a swizzle is 0, 32, 64 or 128 bytes");
    }
}

void check_order(const Subject& subject, const Launch& launch, const std::string& key) {
    std::vector<int> axes(launch.grid.size());
    std::iota(axes.begin(), axes.end(), 0);
    if (!launch.order.empty() && !std::ranges::is_permutation(launch.order, axes)) {
        subject.add(key + ".order", "must name each axis of the grid once, from 0");
    }
}

/// Why a launch of this language cannot have the entry.
std::optional<Said> entry_problem(Language language, const std::string& entry) {
    if (!is_name_expression(entry)) return identifier_problem(entry);
    if (language == Language::cuda) return name_expression_problem(entry);
    return "is an instance of a template, or in a namespace: only a kernel of language `cuda` may be";
}

void check_launch(const Subject& subject, const Launch& launch, const std::string& key) {
    const std::string& entry = launch.entry.empty() ? subject.variant.entry : launch.entry;
    if (const auto problem = entry_problem(subject.variant.language, entry)) {
        subject.add(launch.entry.empty() ? "entry" : key + ".entry", in_backquotes(entry) + " " + *problem,
                    "name the kernel's function");
    }
    if (launch.grid.empty() || launch.grid.size() > 3) subject.add(key + ".grid", "a grid has one to three axes");
    subject.check_expressions(launch.grid, key + ".grid");
    subject.check_expressions(launch.block, key + ".block");
    if (!launch.threads.empty()) subject.check_expression(launch.threads, key + ".threads");
    if (!launch.shared_bytes.empty()) subject.check_expression(launch.shared_bytes, key + ".shared_bytes");
    check_language_of_launch(subject, launch, key);
    check_constants(subject, launch, key);
    check_tensor_maps(subject, launch, key);
    check_order(subject, launch, key);
    const auto arguments =
        resolve_arguments(subject.definition, subject.variant, launch, subject.where + "." + key + ".args");
    if (!arguments) subject.findings.add(arguments.error());
}

/// A Python file's function that plans its launches itself.
void check_function(const Subject& subject) {
    if (const auto problem = identifier_problem(subject.variant.entry)) {
        subject.add("entry", in_backquotes(subject.variant.entry) + " " + *problem, "name the file's function");
    }
    check_absent(subject, "workspace", !subject.variant.workspace.empty());
}

/// `namespace::function` too, which may also be an operator that the source registers with PyTorch.
void check_extension(const Subject& subject) {
    const Variant& variant = subject.variant;
    for (const std::string& part : split(variant.entry, ':')) {
        const auto problem = part.empty() && !variant.entry.empty() ? std::nullopt : identifier_problem(part);
        if (problem) subject.add("entry", in_backquotes(variant.entry) + " " + *problem, "name the source's function");
    }
    if (!variant.interface.empty() && !std::ranges::contains(interfaces, variant.interface)) {
        subject.add("interface", "unknown interface " + in_backquotes(variant.interface),
                    suggest(variant.interface, interfaces));
    }
    const std::string ending = std::filesystem::path(variant.source).extension().string();
    if (!variant.source.empty() && !std::ranges::contains(source_endings(variant.language), ending))
        subject.add("source", in_backquotes(variant.source) + " is no file of C++ or CUDA C++",
                    "name a file that ends in .cpp, .cc, .cxx or .cu");
    check_absent(subject, "launch", !variant.launches.empty());
    check_absent(subject, "workspace", !variant.workspace.empty());
}

void check_launches(const Subject& subject) {
    if (subject.variant.language == Language::extension) return check_extension(subject);
    const auto& launches = subject.variant.launches;
    if (subject.variant.language == Language::torch) check_absent(subject, "launch", !launches.empty());
    if (launches.empty() && is_python(subject.variant.language)) return check_function(subject);
    if (launches.empty()) return subject.add("", "the key `launch` is missing");
    if (launches.size() > 1 && is_python(subject.variant.language)) {
        subject.add("launches", "a `triton` variant has one launch at most",
                    "name a function as `entry` that makes them all");
    }
    for (std::size_t i = 0; i < launches.size(); ++i) {
        check_launch(subject, launches[i], launches.size() == 1 ? "launch" : element_path("launches", i));
    }
    for (const Tensor& output : subject.definition.outputs) {
        const bool written = std::ranges::any_of(launches, [&](const Launch& launch) {
            return std::ranges::contains(launch.args, output.name) ||
                   std::ranges::contains(launch.tensor_maps, output.name, &TensorMap::tensor);
        });
        if (!written) subject.add("", "no launch has the output `" + output.name + "` among its arguments");
    }
}

void check_library(const Subject& subject) {
    const Variant& variant = subject.variant;
    if (variant.library.empty()) subject.add("", "the key `library` is missing", suggest("", libraries));
    if (variant.primitive.empty()) subject.add("", "the key `primitive` is missing");
    if (!variant.library.empty() && std::ranges::find(libraries, variant.library) == libraries.end()) {
        subject.add("library", "unknown library " + in_backquotes(variant.library),
                    suggest(variant.library, libraries));
    }
    check_absent(subject, "source", !variant.source.empty());
    check_absent(subject, "sources", !variant.sources.empty());
    check_absent(subject, "entry", !variant.entry.empty());
    check_absent(subject, "interface", !variant.interface.empty());
    check_absent(subject, "launches", !variant.launches.empty());
    check_absent(subject, "workspace", !variant.workspace.empty());
    check_absent(subject, "tunables", !variant.tunables.empty());
    check_absent(subject, "configurations", !variant.configurations.empty());
    check_absent(subject, "let", !variant.let.empty());
    check_absent(subject, "flags", !variant.flags.empty());
    check_absent(subject, "compile", variant.compile);
    check_absent(subject, "companions", !variant.companions.empty());
}

void check_path(const Subject& subject, const std::string& path, const std::string& key) {
    if (const auto problem = source_path_problem(path)) subject.add(key, in_backquotes(path) + " " + *problem);
}

void check_companions(const Subject& subject) {
    static const std::vector<std::string> kinds = {"accuracy", "performance"};
    const auto& companions = subject.variant.companions;
    if (subject.variant.language != Language::triton) check_absent(subject, "companions", !companions.empty());
    std::vector<std::string> seen;
    for (std::size_t i = 0; i < companions.size(); ++i) {
        const std::string key = element_path("companions", i);
        const std::string& kind = companions[i].kind;
        if (std::ranges::find(kinds, kind) == kinds.end()) {
            subject.add(key + ".kind", "unknown kind of companion " + in_backquotes(kind), suggest(kind, kinds));
        } else if (std::ranges::find(seen, kind) != seen.end()) {
            subject.add(key + ".kind", "there is another companion of the kind `" + kind + "`", "remove one of them");
        }
        seen.push_back(kind);
        check_path(subject, companions[i].source, key + ".source");
    }
}

void check_further_sources(const Subject& subject) {
    const auto& sources = subject.variant.sources;
    std::set<std::filesystem::path> seen = {std::filesystem::path(subject.variant.source).lexically_normal()};
    for (std::size_t i = 0; i < sources.size(); ++i) {
        const std::string key = element_path("sources", i);
        check_path(subject, sources[i], key);
        if (!seen.insert(std::filesystem::path(sources[i]).lexically_normal()).second) {
            subject.add(key, in_backquotes(sources[i]) + " is a source of this variant already", "remove it here");
        }
    }
}

void check_source(const Subject& subject) {
    const Variant& variant = subject.variant;
    check_absent(subject, "library", !variant.library.empty());
    check_absent(subject, "primitive", !variant.primitive.empty());
    if (variant.language != Language::torch) check_absent(subject, "compile", variant.compile);
    if (is_python(variant.language)) check_absent(subject, "flags", !variant.flags.empty());
    if (variant.language != Language::extension) check_absent(subject, "interface", !variant.interface.empty());
    check_companions(subject);
    if (variant.source.empty()) {
        subject.add("", "the key `source` is missing");
    } else {
        check_path(subject, variant.source, "source");
    }
    check_further_sources(subject);
    for (std::size_t i = 0; i < variant.flags.size(); ++i) {
        if (const auto problem = flag_problem(variant.flags[i])) {
            subject.add(element_path("flags", i), in_backquotes(variant.flags[i]) + " " + *problem);
        }
    }
    check_launches(subject);
}

/// Checks a variant of family `callable`: a function that launches its kernels itself, and is called with the inputs
/// that the definition makes.
void check_callable(const Subject& subject) {
    const std::string language(to_string(subject.variant.language));
    if (!runs_in_python(subject.variant.language)) {
        subject.add("language", "family `callable` has no variants in `" + language + "`",
                    "one of: torch, triton, extension");
    }
    if (!subject.variant.launches.empty()) {
        subject.add("launch", "family `callable` has no launches: the file's function makes them",
                    "remove it, and name that function as `entry`");
    }
}

void check_devices(const Subject& subject) {
    const std::vector<std::string> kinds(std::begin(device_kinds), std::end(device_kinds));
    for (std::size_t i = 0; i < subject.variant.devices.size(); ++i) {
        const std::string& kind = subject.variant.devices[i];
        const std::string key = element_path("devices", i);
        if (std::ranges::find(kinds, kind) == kinds.end()) {
            subject.add(key, "unknown kind of device " + in_backquotes(kind), suggest(kind, kinds));
        } else if (!runs_on(subject.variant, kind)) {
            subject.add(key, "language `" + std::string(to_string(subject.variant.language)) + "` does not run on `" +
                                 kind + "`");
        }
    }
}

}  // namespace

void validate_variant(const Operator& definition, const Variant& variant, const std::string& where,
                      Findings& findings) {
    Subject subject{definition, variant, where, findings, definition.symbols};
    for (const Tunable& tunable : variant.tunables) subject.values.push_back(tunable.name);
    subject.values.emplace_back(dtype_bytes);
    for (std::string& name : device_names(variant.language)) subject.values.push_back(std::move(name));
    check_name(subject);
    check_own_names(subject);
    subject.check_expressions(variant.restrictions, "restrictions");
    check_rules(subject);
    if (variant.language == Language::library) {
        check_library(subject);
    } else {
        check_source(subject);
    }
    if (has_file(definition.family)) check_callable(subject);
    else if (variant.language == Language::extension)
        subject.add("language", "language `extension` is of family `callable` only",
                    "use `cpp` or `cuda`, or define the operator by a Python file: docs/CALLABLE.md");
    check_devices(subject);
}

}  // namespace kernelgen
