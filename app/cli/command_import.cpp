// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <cstdint>
#include <format>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "core/base/duration.h"
#include "core/base/text.h"
#include "core/files/import_folder.h"
#include "core/files/import_source.h"
#include "core/project/project_file.h"

namespace kernelgen::cli {

namespace {

constexpr const char* import_examples =
    R"(The set, whose names may vary: NAME_triton.py (a @triton.jit kernel and the function that launches it),
NAME_baseline.py (the same function in PyTorch), NAME_accuracy.py, NAME_performance.py. Nothing is executed, and the
folder stays as it is. A T1 file (of Kernel Tuner and others) becomes a project with the CUDA kernel that it names. What
is read and what is not: docs/IMPORT.md. A Python file with a reference and its inputs, such as KernelBench's problems,
becomes a project of family `callable`: docs/CALLABLE.md. With --trace, a file with Triton kernels and test calls is
executed, in a process with limits: what its function is called with are the cases; the reference is a line of PyTorch.

Examples:
  kernelgen import sets/broadcast                     makes a project in a folder named as the wrapper is
  kernelgen import sets/gelu -o work/gelu --name gelu
  kernelgen import convolution.T1.json -o work/convolution
  kernelgen import 19_ReLU.py --solution my_relu.py -o work/relu
  kernelgen import swiglu.py --trace --reference 'lambda a, b: torch.nn.functional.silu(a) * b' -o work/swiglu
  kernelgen import 19_ReLU.py --solution my_relu.cu --entry relu -o work/relu
  kernelgen import --each KernelBench/level1 --solution mine -o work/level1
  kernelgen verify work/gelu --device cuda:0          only now the files are run)";

constexpr double longest_trace_seconds = 24 * 3600;

struct ImportOptions {
    std::string folder, output, name, solution, entry, reference, limit;
    bool each = false, traces = false;
};

nlohmann::ordered_json notes_document(const Diagnostics& notes) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Diagnostic& each : notes) {
        list.push_back({{"file", each.file}, {"where", each.where}, {"message", each.message}});
    }
    return list;
}

nlohmann::ordered_json set_document(const ImportedSet& set) {
    nlohmann::ordered_json files = nlohmann::ordered_json::object();
    for (std::size_t i = 0; i < file_role_count; ++i) {
        if (!set.files[i].empty()) files[to_string(static_cast<FileRole>(i))] = set.files[i];
    }
    return {{"project", set.project.folder.string()},
            {"operator", to_json(set.project.definition)},
            {"files", files},
            {"cases", set.project.cases.size()},
            {"edits", notes_document(set.edits)},
            {"notes", notes_document(set.notes)}};
}

std::string tensor_text(const Tensor& tensor) { return tensor.name + "[" + join(tensor.shape, ", ") + "]"; }

std::string tensors_text(const std::vector<Tensor>& tensors) {
    std::vector<std::string> texts;
    for (const Tensor& each : tensors) texts.push_back(tensor_text(each));
    return join(texts, ", ");
}

void print_variants(const Project& project) {
    for (const Variant& each : project.variants) {
        std::cout << std::format("variant {}: `{}` of {}{}\n", each.name, each.entry, each.source,
                                 each.compile ? ", by torch.compile" : "");
    }
}

void print_set(const ImportedSet& set) {
    const Operator& definition = set.project.definition;
    std::cout << "operator " << definition.name << ": "
              << (has_file(definition.family)
                      ? "defined by " + definition.file
                      : tensors_text(definition.inputs) + " -> " + tensors_text(definition.outputs))
              << "\n";
    if (has_file(definition.family)) print_variants(set.project);
    const bool is_python_set = is_python(set.project.variants.front().language);
    for (std::size_t i = 1; i < file_role_count && !has_file(definition.family); ++i) {
        const std::string& file = set.files[i];
        if (file.empty() && !is_python_set) continue;
        std::cout << std::format("{}: {}\n", to_string(static_cast<FileRole>(i)), file.empty() ? "none" : file);
    }
    std::vector<std::string> cases;
    for (const Case& each : set.project.cases) cases.push_back(each.name);
    std::cout << "cases: " << join(cases, ", ") << "\n"
              << "tunables: " << configuration_text(configuration_of(set.project.variants.front())) << "\n";
    if (!set.edits.empty())
        std::cout << "\nedited, so that it runs " << (is_python_set ? "on any device" : "in a project") << ":\n"
                  << to_string(set.edits);
    if (!set.notes.empty()) std::cout << "\nnot understood, or assumed:\n" << to_string(set.notes);
    const bool needs_gpu = !runs_on(set.project.variants.front(), "cpu");
    std::cout << "\nwrote " << set.project.folder.string() << "; next: kernelgen verify "
              << in_shell(set.project.folder.string()) << (needs_gpu ? " --device cuda:0" : "") << "\n";
}

Validated<ImportedSet> read_traced_file(const ImportOptions& options, Context& context) {
    if (!options.folder.ends_with(".py") || !options.solution.empty() || options.each)
        return std::unexpected(Diagnostics{{options.folder, "--trace", "needs one Python file with its test calls",
                                            "leave out --solution and --each"}});
    const InterruptGuard guard(context.interrupted);
    Trace trace{.reference = options.reference, .entry = options.entry, .stop = context.interrupted.get_token()};
    if (!options.limit.empty()) {
        const std::optional<double> seconds = parse_duration(options.limit);
        if (!seconds || *seconds < 1 || *seconds > longest_trace_seconds)
            return std::unexpected(Diagnostics{
                {"", "--timeout", "\"" + options.limit + "\" is no time for a trace", "such as 30s or 5m"}});
        trace.limit = std::chrono::seconds(static_cast<std::int64_t>(*seconds));
    }
    return read_traced(options.folder, trace, options.name);
}

Validated<ImportedSet> read_set(const ImportOptions& options, Context& context) {
    if (options.traces) return read_traced_file(options, context);
    if (!options.reference.empty() || !options.limit.empty())
        return std::unexpected(Diagnostics{{options.folder, "", "--reference and --timeout are for a trace",
                                            "add --trace: the file's test calls are executed then"}});
    if (options.solution.empty() && !options.entry.empty())
        return std::unexpected(
            Diagnostics{{"", "--entry", "it names a function of a solution", "add --solution FILE, or --trace"}});
    if (!options.solution.empty() && !options.folder.ends_with(".py"))
        return std::unexpected(
            Diagnostics{{options.folder, "", "a solution is of one Python file", "leave out --solution"}});
    return read_source({options.folder, options.solution, options.entry, std::nullopt, options.name});
}

/// What became of one file of a folder.
struct FileOfFolder {
    std::string file, project;
    Diagnostics problems, edits, notes;
};

FileOfFolder write_file(ImportedFile& read, const std::string& output) {
    const std::string name = read.file.filename().string();
    FileOfFolder told{name, (std::filesystem::path(output) / read.name()).string(), {}, {}, {}};
    if (!read.set) {
        told.problems = read.set.error();
        return told;
    }
    if (const Result<void> written = write_imported(*read.set, told.project); !written)
        told.problems = {{name, "", written.error().message, ""}};
    told.edits = read.set->edits;
    told.notes = read.set->notes;
    return told;
}

int print_files(const std::vector<FileOfFolder>& files, const std::string& folder, const Context& context) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    std::size_t made = 0;
    for (const FileOfFolder& each : files) {
        const bool is_made = each.problems.empty();
        made += is_made ? 1 : 0;
        if (context.json) {
            list.push_back({{"file", each.file},
                            {"project", is_made ? each.project : ""},
                            {"edits", notes_document(each.edits)},
                            {"notes", notes_document(each.notes)}});
            if (!is_made) list.back()["error"] = to_string(each.problems);
        } else if (is_made) {
            std::cout << "wrote " << each.project << "\n";
            for (const Diagnostics& remarks : {each.edits, each.notes}) {
                for (const Diagnostic& remark : remarks) std::cout << "  " << to_string(remark) << "\n";
            }
        } else {
            std::cout << "left out: " << to_string(each.problems) << "\n";
        }
    }
    if (context.json) print_json({{"files", list}, {"imported", made}});
    else
        std::cout << std::format("{} of {} files are projects now{}\n", made, files.size(),
                                 made > 0 ? "; next: kernelgen run --each " + in_shell(folder) : "");
    return made > 0 ? exit_done : exit_usage;
}

/// What is said of one file and cannot be said of all files of a folder.
Diagnostics only_for_one_file(const ImportOptions& options) {
    Diagnostics problems;
    for (const auto& [option, value] : {std::pair{"--name", &options.name},
                                        {"--entry", &options.entry},
                                        {"--reference", &options.reference},
                                        {"--timeout", &options.limit}}) {
        if (!value->empty())
            problems.push_back({"", option, "it is for one file, not for each of a folder",
                                "import that file by itself, without --each"});
    }
    return problems;
}

/// Every Python file of a folder as a project of its own.
int import_each(const ImportOptions& options, Context& context) {
    if (const Diagnostics problems = only_for_one_file(options); !problems.empty()) return report(context, problems);
    if (options.output.empty())
        return report(context, Diagnostics{{"", "-o", "a folder for the projects is needed", "such as -o problems"}});
    std::vector<ImportedFile> read = read_folder(options.folder, options.solution);
    if (read.empty())
        return report(context, Diagnostics{{options.folder, "", "there is no Python file in this folder", ""}});
    std::vector<FileOfFolder> files;
    for (ImportedFile& each : read) files.push_back(write_file(each, options.output));
    return print_files(files, options.output, context);
}

int import_command(const ImportOptions& options, Context& context) {
    if (options.each && !options.traces) return import_each(options, context);
    Validated<ImportedSet> set = read_set(options, context);
    if (!set) return report(context, set.error());
    const std::string folder = options.output.empty() ? set->project.definition.name : options.output;
    if (const Result<void> written = write_imported(*set, folder); !written) return report(context, written.error());
    if (context.json) print_json(set_document(*set));
    else print_set(*set);
    return exit_done;
}

}  // namespace

void add_import(CLI::App& app, Context& context) {
    auto options = std::make_shared<ImportOptions>();
    CLI::App* command =
        app.add_subcommand("import", "Make a project of Python files or a T1 file; executes nothing without --trace");
    command
        ->add_option("FOLDER", options->folder,
                     "The folder that holds the set; a T1 file; or a Python file with a reference")
        ->required();
    command->add_option("--solution", options->solution,
                        "What is to be judged: a Python file with `ModelNew` or a function, or a file of C++ or CUDA");
    command->add_option("--entry", options->entry,
                        "The solution's function, or with --trace the one to judge; default: the only one that it can "
                        "be, or the last one called that launches a kernel");
    command->add_option("-o,--output", options->output, "The project's folder; default: the operator's name, here");
    command->add_option("--name", options->name, "The operator's name; default: the wrapper's");
    command->add_flag("--each", options->each,
                      "Every Python file of FOLDER is a problem of its own; --solution is a folder then");
    command->add_flag("--trace", options->traces, "Execute the test calls of a Triton file, in a process with limits");
    command->add_option("--reference", options->reference,
                        "With --trace: one line of PyTorch, 'lambda x, w: …', or a function of the file");
    command->add_option("--timeout", options->limit,
                        "With --trace: how long an execution of the test calls may take; default: 2m");
    command->footer(import_examples);
    command->callback([options, &context] { context.exit_status = import_command(*options, context); });
}

}  // namespace kernelgen::cli
