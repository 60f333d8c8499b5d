// SPDX-License-Identifier: Apache-2.0
#include <format>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "core/engine/build.h"

namespace kernelgen::cli {

namespace {

constexpr const char* build_examples = R"(Examples:
  kernelgen build projects/softmax                              the host's variant
  kernelgen build projects/softmax --device cuda:h200           registers, spills and occupancy; no GPU is needed
  kernelgen build projects/softmax --device cuda:a100 --set num_warps=8 --case "P=1,D=1,dtype=bf16" --ptx > softmax.ptx
  kernelgen build projects/softmax --variant triton --device cuda:0 --ttgir    executes the file, on zeros of a case

The models that kernels can be built for are in `kernelgen devices`.)";

struct BuildOptions {
    CommonOptions common;
    bool ptx = false, sass = false, ttir = false, ttgir = false;

    std::vector<std::string> texts() const {
        std::vector<std::string> names;
        if (ptx) names.emplace_back("ptx");
        if (sass) names.emplace_back("sass");
        if (ttir) names.emplace_back("ttir");
        if (ttgir) names.emplace_back("ttgir");
        return names;
    }
};

Status status_of(const std::vector<DtypeBuild>& builds) {
    Status status = Status::ok;
    for (const DtypeBuild& build : builds) status = worst(status, build.result.status);
    return status;
}

bool lacks_a_text(const std::vector<DtypeBuild>& builds, const std::vector<std::string>& texts) {
    for (const DtypeBuild& build : builds) {
        for (const std::string& text : texts) {
            if (!build.result.texts.contains(text)) return true;
        }
    }
    return false;
}

nlohmann::ordered_json document_of(const RunPlan& plan, const std::vector<DtypeBuild>& builds) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const DtypeBuild& build : builds) {
        nlohmann::ordered_json entry = {{"dtype", to_string(build.dtype)}, {"configuration", build.configuration}};
        entry.update(nlohmann::ordered_json(to_json(build.result)));
        list.push_back(entry);
    }
    nlohmann::ordered_json document = {{"variant", plan.candidate.variant.name},
                                       {"device", plan.options.device},
                                       {"configuration", plan.candidate.configuration},
                                       {"status", to_string(status_of(builds))},
                                       {"builds", list}};
    if (!plan.remarks.empty()) document["remarks"] = plan.remarks;
    return document;
}

/// A text that was asked for is alone on stdout, so that it can be piped; what is said of the build goes to stderr.
void print_builds(const RunPlan& plan, const std::vector<DtypeBuild>& builds, bool has_texts) {
    std::ostream& out = has_texts ? std::cerr : std::cout;
    const Implementation& candidate = plan.candidate;
    for (const std::string& remark : plan.remarks) out << remark << "\n";
    for (const DtypeBuild& build : builds) {
        out << std::format("variant {} for {}, {}", candidate.variant.name, plan.options.device,
                           to_string(build.dtype));
        if (!build.configuration.empty()) out << ", " << configuration_text(build.configuration);
        out << "\n";
        print_build(out, build.result);
        for (const auto& [name, text] : build.result.texts) std::cout << text << (text.ends_with('\n') ? "" : "\n");
    }
}

int build_command(BuildOptions& options, Context& context) {
    const InterruptGuard guard(context.interrupted);
    const auto begun = begin_run(options.common, context);
    if (!begun) return begun.error();
    const std::vector<std::string> texts = options.texts();
    std::vector<nlohmann::ordered_json> documents;
    Status status = Status::ok;
    bool lacks_text = false;
    for (const RunPlan& each : begun->plans) {
        const std::vector<DtypeBuild> builds =
            build_candidate(each, texts, *begun->worker, terminal_progress(), context.interrupted.get_token());
        clear_progress();
        if (context.json) documents.push_back(document_of(each, builds));
        else print_builds(each, builds, !texts.empty());
        status = worst(status, status_of(builds));
        lacks_text = lacks_text || lacks_a_text(builds, texts);
    }
    if (context.json) print_variants_json(documents);
    return status == Status::ok && lacks_text ? int{exit_not_run} : exit_status_of(status);
}

}  // namespace

void add_build(CLI::App& app, Context& context) {
    auto options = std::make_shared<BuildOptions>();
    CLI::App* command = app.add_subcommand("build", "Build alone, with the resources that the kernel takes");
    add_common(*command, options->common);
    command->add_flag("--ptx", options->ptx, "Print the PTX of a `cuda` or `triton` variant");
    command->add_flag("--sass", options->sass,
                      "Print the SASS of a `cuda` variant, where nvdisasm or cuobjdump is there");
    command->add_flag("--ttir", options->ttir, "Print a `triton` variant in Triton's own representation");
    command->add_flag("--ttgir", options->ttgir, "Print it with what Triton decided for the GPU");
    command->footer(build_examples);
    command->callback([options, &context] { context.exit_status = build_command(*options, context); });
}

}  // namespace kernelgen::cli
