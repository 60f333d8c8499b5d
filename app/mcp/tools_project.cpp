// SPDX-License-Identifier: Apache-2.0
#include <format>
#include <sstream>

#include "app/cli/print.h"
#include "app/cli/print_info.h"
#include "app/mcp/schemas.h"
#include "app/mcp/tools.h"
#include "core/base/text.h"
#include "core/project/judging_files.h"
#include "core/project/project_file.h"
#include "core/round/history.h"

namespace kernelgen::agent {

using nlohmann::ordered_json;

namespace {

struct OpenArguments {
    std::string path;
};

/// The project's sources, with the reason where an agent may not edit one.
Validated<ordered_json> files_document(const Project& project) {
    const SourceReader read = folder_reader(project.folder);
    const Result<SourceFiles> files = files_of_variants(project, read);
    if (!files) return std::unexpected(as_diagnostics(files.error()));
    const auto judges = judging_files(project, read);
    if (!judges) return std::unexpected(as_diagnostics(judges.error()));
    ordered_json list = ordered_json::array();
    for (const auto& [file, text] : *files) {
        const auto judge = judges->find(file);
        list.push_back({{"file", file}, {"bytes", text.size()}, {"editable", judge == judges->end()}});
        if (judge != judges->end()) list.back()["why_not"] = judge->second;
    }
    return list;
}

ordered_json variant_document(const Project& project, const Variant& variant) {
    ordered_json document = {{"name", variant.name},
                             {"language", to_string(variant.language)},
                             {"source", variant.source},
                             {"tunables", ordered_json::array()}};
    for (const Tunable& each : variant.tunables)
        document["tunables"].push_back({{"name", each.name}, {"value", each.value}, {"values", each.values}});
    if (const auto role = judging_role(project, variant.name)) document["judges"] = *role;
    return document;
}

Validated<mcp::Answer> describe(const Project& project) {
    const Validated<ordered_json> files = files_document(project);
    if (!files) return std::unexpected(files.error());
    const Result<History> history = load_history(project.folder);
    if (!history) return std::unexpected(as_diagnostics(history.error()));
    ordered_json data = {
        {"operator", project.definition.name},
        {"definition", has_file(project.definition.family) ? project.definition.file : project.definition.body},
        {"cases", names_of(project.cases)},
        {"target_speedup", project.performance.target_speedup},
        {"baselines", project.performance.baseline},
        {"variants", ordered_json::array()},
        {"files", *files},
        {"rounds_spent", history->rounds.size()},
        {"max_rounds", project.performance.max_rounds}};
    std::vector<std::string> editable;
    for (const Variant& each : project.variants) data["variants"].push_back(variant_document(project, each));
    for (const ordered_json& each : *files) {
        if (each["editable"].get<bool>()) editable.push_back(each["file"].get<std::string>());
    }
    std::string text = std::format("{}: {}\nvariants: {}\nyou may edit: {}\n{}", project.definition.name,
                                   data["definition"].get<std::string>(), join(names_of(project.variants), ", "),
                                   editable.empty() ? "no file" : join(editable, ", "),
                                   cli::spent_text(history->rounds.size(), project));
    return mcp::Answer{std::move(text), std::move(data)};
}

mcp::Tool open_tool(Agent& agent) {
    const auto parameters = mcp::Parameters<OpenArguments>().optional(
        "path", &OpenArguments::path,
        "The project's folder within the folder that this server was given; left out: that folder itself");
    mcp::Tool tool{.name = "open",
                   .title = "Open a project",
                   .description =
                       "Open a project and say what it is: its operator, variants with tunables, cases, "
                       "target, and which files may be edited. Nothing is executed.",
                   .output_schema = answer_schema({{"operator", of_type("string", "Its name")},
                                                   {"definition", of_type("string", "Its body, or the Python file")},
                                                   {"cases", of_type("array", "Names of the cases")},
                                                   {"target_speedup", of_type("number", "To reach in every case")},
                                                   {"baselines", of_type("object", "Variant by kind of device")},
                                                   {"variants", list_of_objects("With tunables and their values")},
                                                   {"files", list_of_objects("Sources, and whether you may edit them")},
                                                   {"rounds_spent", of_type("integer", "Recorded attempts")},
                                                   {"max_rounds", of_type("integer", "Attempts that are planned")}}),
                   .is_read_only = true};
    return mcp::with_parameters(std::move(tool), parameters,
                                [&agent](const OpenArguments& arguments, const mcp::Call&) -> Validated<mcp::Answer> {
                                    return agent.open(arguments.path).and_then(describe);
                                });
}

struct NoArguments {};

Validated<mcp::Answer> inform(const Project& project, const NoArguments&) {
    ordered_json data = cli::info_document(project);
    std::ostringstream text;
    cli::print_info(text, project, data);
    return mcp::Answer{text.str(), std::move(data)};
}

mcp::Tool info_tool(Agent& agent) {
    mcp::Tool tool{.name = "info",
                   .title = "What follows from the definition",
                   .description =
                       "FLOPs, bytes and FLOP per byte of each case, tunables, restrictions and grids of "
                       "each variant. Nothing is executed.",
                   .output_schema = answer_schema({{"operator", of_type("object", "The definition")},
                                                   {"notes", of_type("array", "What may surprise")},
                                                   {"cases", list_of_objects("With work and grids")}}),
                   .is_read_only = true};
    return mcp::with_parameters(std::move(tool), mcp::Parameters<NoArguments>(), on_project(agent, inform));
}

ordered_json device_document(const WorkerDevice& device) {
    return {{"name", device.info.name},
            {"available", device.info.available},
            {"builds_only", device.info.builds_only},
            {"description", device.info.available ? device.info.description : device.info.reason.text()},
            {"notes", device.info.notes}};
}

mcp::Tool devices_tool(Agent& agent) {
    mcp::Tool tool{.name = "devices",
                   .title = "Devices",
                   .description = "The devices on which variants can run here, or for which they can only be built.",
                   .output_schema = answer_schema({{"devices", list_of_objects("By name: cpu, cuda:0, …")}}),
                   .is_read_only = true};
    return mcp::with_parameters(std::move(tool), mcp::Parameters<NoArguments>(),
                                [&agent](const NoArguments&, const mcp::Call& call) -> Validated<mcp::Answer> {
                                    const auto worker = agent.worker(call.stop);
                                    if (!worker) return std::unexpected(as_diagnostics(worker.error()));
                                    const Result<std::vector<WorkerDevice>> devices = (*worker)->devices(call.stop);
                                    if (!devices) return std::unexpected(as_diagnostics(devices.error()));
                                    mcp::Answer answer{"", {{"devices", ordered_json::array()}}};
                                    for (const WorkerDevice& each : *devices) {
                                        answer.data["devices"].push_back(device_document(each));
                                        if (each.info.available)
                                            answer.text += each.info.name + ": " + each.info.description + "\n";
                                    }
                                    return answer;
                                });
}

}  // namespace

std::vector<mcp::Tool> project_tools(Agent& agent) { return {open_tool(agent), info_tool(agent), devices_tool(agent)}; }

}  // namespace kernelgen::agent
