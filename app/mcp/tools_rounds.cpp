// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <format>
#include <sstream>

#include "app/cli/export_texts.h"
#include "app/cli/print.h"
#include "app/cli/print_rounds.h"
#include "app/mcp/schemas.h"
#include "app/mcp/tools.h"
#include "core/base/file.h"
#include "core/engine/usage.h"
#include "core/project/judging_files.h"
#include "core/round/history.h"

namespace kernelgen::agent {

using nlohmann::ordered_json;

namespace {

struct RoundsArguments {
    int newest = 20;
};

Validated<mcp::Answer> list_rounds(const Project& project, const RoundsArguments& arguments) {
    if (arguments.newest < 1) return std::unexpected(Diagnostics{usage("newest", "must be at least 1", "")});
    Result<History> history = load_history(project.folder);
    if (!history) return std::unexpected(as_diagnostics(history.error()));
    const std::size_t all = history->rounds.size();
    const std::size_t shown = std::min<std::size_t>(all, static_cast<std::size_t>(arguments.newest));
    history->rounds.erase(history->rounds.begin(), history->rounds.end() - static_cast<std::ptrdiff_t>(shown));
    ordered_json data = cli::rounds_document(*history, project);
    data["rounds_spent"] = all;
    std::ostringstream text;
    cli::print_rounds(text, history->rounds, Phrases(Tongue::english));
    text << cli::spent_text(all, project);
    return mcp::Answer{text.str(), std::move(data)};
}

mcp::Tool rounds_tool(Agent& agent) {
    const auto parameters = mcp::Parameters<RoundsArguments>().optional("newest", &RoundsArguments::newest,
                                                                        "So many of the last rounds; default: 20");
    mcp::Tool tool{.name = "rounds",
                   .title = "What was tried",
                   .description = "The recorded rounds with configuration, status and speedup.",
                   .output_schema = answer_schema({{"rounds", list_of_objects("Ascending by number")},
                                                   {"rounds_spent", of_type("integer", "All that are recorded")},
                                                   {"max_rounds", of_type("integer", "That are planned")}}),
                   .is_read_only = true};
    return mcp::with_parameters(std::move(tool), parameters, on_project(agent, list_rounds));
}

struct RoundArguments {
    int round = 0;
};

const std::string about_round = "The round's number, as `rounds` lists it";

Validated<mcp::Answer> show_round(const Project& project, const RoundArguments& arguments) {
    const Result<RoundDetail> detail = load_round_detail(project.folder, arguments.round);
    if (!detail) return std::unexpected(as_diagnostics(detail.error()));
    std::ostringstream text;
    cli::print_round(text, *detail, true);
    return mcp::Answer{text.str(), cli::round_document(*detail, true)};
}

mcp::Tool round_tool(Agent& agent) {
    const auto parameters = mcp::Parameters<RoundArguments>().required("round", &RoundArguments::round, about_round);
    mcp::Tool tool{.name = "round",
                   .title = "One round in full",
                   .description = "All that is recorded of a round: checks, times, roofline, what its builds take.",
                   .output_schema = answer_schema({{"number", of_type("integer", "Of the round")},
                                                   {"status", of_type("string", "ok, or how it failed")},
                                                   {"cases", list_of_objects("Speedup and place on the roofline")},
                                                   {"verification", of_type("object", "All checks")},
                                                   {"timings", list_of_objects("Statistics of each timed case")}}),
                   .is_read_only = true};
    return mcp::with_parameters(std::move(tool), parameters, on_project(agent, show_round));
}

/// The file that decides what is right or fast and of which the round has another text; nothing: there is none.
Result<std::optional<std::string>> changed_judge(const Project& project, const RoundDetail& detail) {
    const SourceReader read = folder_reader(project.folder);
    const auto judges = judging_files(project, read);
    if (!judges) return std::unexpected(judges.error());
    SourceFiles files = detail.candidate.files;
    files[detail.candidate.variant.source] = detail.candidate.text;
    for (const auto& [file, text] : files) {
        if (!judges->contains(std::filesystem::path(file).lexically_normal().generic_string())) continue;
        const Result<std::optional<std::string>> present = read(file);
        if (!present) return std::unexpected(present.error());
        if (*present != text) return file;
    }
    return std::nullopt;
}

Validated<mcp::Answer> keep(Project project, const RoundArguments& arguments) {
    const int round = arguments.round;
    const Result<RoundDetail> detail = load_round_detail(project.folder, round);
    if (!detail) return std::unexpected(as_diagnostics(detail.error()));
    if (const auto role = judging_role(project, detail->round.variant))
        return std::unexpected(Diagnostics{usage("round", *role, "it decides how fast others look")});
    const Result<std::optional<std::string>> judge = changed_judge(project, *detail);
    if (!judge) return std::unexpected(as_diagnostics(judge.error()));
    if (*judge)
        return std::unexpected(Diagnostics{
            usage("round", std::format("has another text of `{}`, which decides what is right or fast", **judge),
                  "a person can keep it: kernelgen keep PROJECT ROUND")});
    if (const Result<void> kept = keep_round(project, round); !kept)
        return std::unexpected(as_diagnostics(kept.error()));
    return mcp::Answer{std::format("round {}'s configuration and sources are the project's now", round),
                       {{"kept", round}}};
}

mcp::Tool keep_tool(Agent& agent) {
    const auto parameters = mcp::Parameters<RoundArguments>().required("round", &RoundArguments::round, about_round);
    mcp::Tool tool{.name = "keep",
                   .title = "Keep a round",
                   .description = "Make a round's sources and configuration the project's again.",
                   .output_schema = answer_schema({{"kept", of_type("integer", "The round's number")}})};
    return mcp::with_parameters(std::move(tool), parameters, on_project(agent, keep));
}

struct NoteArguments : Lessons {
    int round = 0;
};

Validated<mcp::Answer> note(const Project& project, const NoteArguments& lessons) {
    if (lessons.worked.empty() && lessons.failed.empty() && lessons.next.empty())
        return std::unexpected(Diagnostics{usage("", "nothing to note", "give `worked`, `failed` or `next`")});
    if (const Result<void> noted = record_lessons(project.folder, lessons.round, lessons); !noted)
        return std::unexpected(as_diagnostics(noted.error()));
    return mcp::Answer{std::format("noted of round {}", lessons.round), {{"round", lessons.round}}};
}

mcp::Tool note_tool(Agent& agent) {
    auto parameters = mcp::Parameters<NoteArguments>().required("round", &NoteArguments::round, about_round);
    parameters.optional("worked", &Lessons::worked, "What worked")
        .optional("failed", &Lessons::failed, "What failed, and why")
        .optional("next", &Lessons::next, "What to try next");
    mcp::Tool tool{.name = "note",
                   .title = "Note a round's lessons",
                   .description = "Record what a round taught; the log prints it.",
                   .output_schema = answer_schema({{"round", of_type("integer", "Its number")}})};
    return mcp::with_parameters(std::move(tool), parameters, on_project(agent, note));
}

struct ExportArguments {
    std::string document = "log", format = "markdown", language = "en";
};

Validated<mcp::Answer> export_document(const Project& project, const ExportArguments& arguments) {
    const cli::ExportForm form{cli::tongue_named(arguments.language), arguments.format == "html"};
    const bool is_log = arguments.document == "log";
    const Validated<cli::Exported> made =
        is_log ? cli::exported_log(project, form) : cli::exported_report({project.folder.string()}, form);
    if (!made) return std::unexpected(made.error());
    const std::string file = cli::export_name(!is_log, form.is_page);
    if (const Result<void> written = write_file_atomic(project.folder / file, made->text); !written)
        return std::unexpected(as_diagnostics(written.error()));
    return mcp::Answer{std::format("wrote {}, {} bytes", file, made->text.size()),
                       {{"file", file}, {"bytes", made->text.size()}, {"warnings", made->warnings}}};
}

mcp::Tool export_tool(Agent& agent) {
    auto parameters = mcp::Parameters<ExportArguments>();
    parameters
        .choice("document", &ExportArguments::document, {"log", "report"},
                "All rounds with reasons and results, or a report with indicators and recommendations; default: log")
        .choice("format", &ExportArguments::format, {"markdown", "html"}, "A page has charts; default: markdown")
        .choice("language", &ExportArguments::language, {"en", "zh"}, "Of the document; default: en");
    mcp::Tool tool{.name = "export",
                   .title = "Export a document",
                   .description = "Write optimization_log or kernel_report into the project's folder.",
                   .output_schema = answer_schema({{"file", of_type("string", "In the project's folder")},
                                                   {"bytes", of_type("integer", "Its size")},
                                                   {"warnings", of_type("array", "What the document lacks")}})};
    return mcp::with_parameters(std::move(tool), parameters, on_project(agent, export_document));
}

}  // namespace

std::vector<mcp::Tool> round_tools(Agent& agent) {
    return {rounds_tool(agent), round_tool(agent), keep_tool(agent), note_tool(agent), export_tool(agent)};
}

}  // namespace kernelgen::agent
