// SPDX-License-Identifier: Apache-2.0
#include "app/mcp/resources.h"

#include "app/cli/export_texts.h"
#include "app/cli/print.h"
#include "app/cli/print_rounds.h"
#include "core/base/json_reader.h"
#include "core/base/text.h"
#include "core/project/judging_files.h"
#include "core/project/project_file.h"

namespace kernelgen::agent {

using mcp::Resource;
using mcp::ResourceText;

namespace {

constexpr std::string_view prefix = "kernelgen:///", sources = "sources/", rounds = "rounds/";
constexpr const char *json_type = "application/json", *text_type = "text/plain", *markdown_type = "text/markdown";

std::string uri_of(std::string_view path) { return std::string(prefix).append(path); }

Result<Project> open_project(const Agent& agent) {
    Validated<Project> project = agent.project();
    if (!project) return fail(to_string(project.error()));
    return std::move(*project);
}

Result<ResourceText> source_resource(const Project& project, const std::string& file) {
    const Result<SourceFiles> files = files_of_variants(project, folder_reader(project.folder));
    if (!files) return std::unexpected(files.error());
    const auto found = files->find(file);
    if (found == files->end()) return fail("no source " + in_backquotes(file) + " of a variant");
    return ResourceText{text_type, found->second};
}

Result<ResourceText> round_resource(const Project& project, std::string_view number) {
    long long round = 0;
    if (!parse_integer(number, round) || round < 0 || round > std::numeric_limits<int>::max())
        return fail(in_backquotes(number) + " is no round's number");
    const Result<RoundDetail> detail = load_round_detail(project.folder, static_cast<int>(round));
    if (!detail) return std::unexpected(detail.error());
    return ResourceText{json_type, cli::json_text(cli::round_document(*detail, true))};
}

Result<ResourceText> rounds_resource(const Project& project) {
    const Result<History> history = load_history(project.folder);
    if (!history) return std::unexpected(history.error());
    return ResourceText{json_type, cli::json_text(cli::rounds_document(*history, project))};
}

Result<ResourceText> log_resource(const Project& project) {
    const Validated<cli::Exported> log = cli::exported_log(project, {});
    if (!log) return fail(to_string(log.error()));
    return ResourceText{markdown_type, log->text};
}

}  // namespace

std::vector<mcp::ResourceTemplate> resource_templates() {
    return {{uri_of("rounds/{number}"), "round", "One recorded round with all that is known of it", json_type},
            {uri_of("sources/{file}"), "source", "A source by its path in the project's folder", text_type}};
}

Result<std::vector<Resource>> list_resources(const Agent& agent) {
    const Result<Project> project = open_project(agent);
    if (!project) return std::unexpected(project.error());
    const Result<SourceFiles> files = files_of_variants(*project, folder_reader(project->folder));
    if (!files) return std::unexpected(files.error());
    std::vector<Resource> list = {
        {uri_of("project.json"), "project.json", "The operator, its cases, tolerances and variants", json_type},
        {uri_of("optimization_log.md"), "optimization_log.md", "All rounds with reasons and results", markdown_type},
        {uri_of("rounds"), "rounds", "The recorded rounds", json_type}};
    for (const auto& [file, text] : *files)
        list.push_back({uri_of(std::string(sources) + file), file, "A source", text_type});
    return list;
}

Result<ResourceText> read_resource(const Agent& agent, const std::string& uri) {
    const Result<Project> project = open_project(agent);
    if (!project) return std::unexpected(project.error());
    const std::string_view path = std::string_view(uri).substr(uri.starts_with(prefix) ? prefix.size() : uri.size());
    if (path == "project.json") return ResourceText{json_type, project_text(*project)};
    if (path == "optimization_log.md") return log_resource(*project);
    if (path == "rounds") return rounds_resource(*project);
    if (path.starts_with(sources)) return source_resource(*project, std::string(path.substr(sources.size())));
    if (path.starts_with(rounds)) return round_resource(*project, path.substr(rounds.size()));
    return fail("no resource " + in_backquotes(uri) + "; `resources/list` and `resources/templates/list` name them");
}

}  // namespace kernelgen::agent
