// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <format>

#include "app/cli/print.h"
#include "app/mcp/schemas.h"
#include "app/mcp/tools.h"
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/engine/usage.h"
#include "core/project/judging_files.h"
#include "core/project/project_file.h"

namespace kernelgen::agent {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

struct ReadArguments {
    std::string file;
};

std::unexpected<Diagnostics> refuse(std::string where, std::string message, std::string what_to_do = "") {
    return std::unexpected(Diagnostics{usage(std::move(where), std::move(message), std::move(what_to_do))});
}

std::string plain_name(const std::string& file) { return fs::path(file).lexically_normal().generic_string(); }

Validated<mcp::Answer> read_source(const Project& project, const ReadArguments& arguments) {
    const std::string& file = arguments.file;
    if (const auto problem = place_problem(project.folder, file))
        return refuse("file", in_backquotes(file) + " " + *problem);
    const SourceReader read = folder_reader(project.folder);
    Result<SourceFiles> known = files_of_variants(project, read);
    if (!known) return std::unexpected(as_diagnostics(known.error()));
    const auto judges = judging_files(project, read);
    if (!judges) return std::unexpected(as_diagnostics(judges.error()));
    std::vector<std::string> names;
    for (const auto& [name, text] : *known) names.push_back(name);
    for (const auto& [name, reason] : *judges) {
        if (!known->contains(name)) known->emplace(name, read(name).value_or("").value_or(""));
    }
    const auto found = known->find(plain_name(file));
    if (found == known->end())
        return refuse("file", in_backquotes(file) + " is no source of a variant", suggest(file, names));
    const bool is_editable = !judges->contains(found->first);
    return mcp::Answer{found->second, {{"file", found->first}, {"text", found->second}, {"editable", is_editable}}};
}

mcp::Tool read_tool(Agent& agent) {
    const auto parameters = mcp::Parameters<ReadArguments>().required(
        "file", &ReadArguments::file, "A source by its path in the project's folder, as `open` lists it");
    mcp::Tool tool{.name = "read_source",
                   .title = "Read a source",
                   .description = "The text of one of the project's sources.",
                   .output_schema = answer_schema({{"file", of_type("string", "Its path")},
                                                   {"text", of_type("string", "All of it")},
                                                   {"editable", of_type("boolean", "Whether you may edit it")}}),
                   .is_read_only = true};
    return mcp::with_parameters(std::move(tool), parameters, on_project(agent, read_source));
}

struct EditArguments {
    std::string file;
    std::optional<std::string> text, old_text, new_text;
};

std::size_t count_of(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++count;
    return count;
}

/// The text that the file is to have.
Validated<std::string> edited_text(const Project& project, const EditArguments& edit) {
    if (edit.text.has_value() == (edit.old_text.has_value() || edit.new_text.has_value()))
        return refuse("text", "give either `text`, or `old_text` and `new_text`");
    if (edit.text) return *edit.text;
    if (!edit.old_text || edit.old_text->empty() || !edit.new_text)
        return refuse("old_text", "give the text to replace, and `new_text`");
    const Result<std::optional<std::string>> present = folder_reader(project.folder)(plain_name(edit.file));
    if (!present) return std::unexpected(as_diagnostics(present.error()));
    if (!*present) return refuse("file", in_backquotes(edit.file) + " does not exist", "give `text` to make it");
    const std::size_t count = count_of(**present, *edit.old_text);
    if (count != 1)
        return refuse("old_text", std::format("occurs {} times in {}", count, edit.file),
                      "it must occur once: give more of the lines around it");
    std::string text = **present;
    return text.replace(text.find(*edit.old_text), edit.old_text->size(), *edit.new_text);
}

Validated<mcp::Answer> edit_source(const Project& project, const EditArguments& edit) {
    if (const auto problem = place_problem(project.folder, edit.file))
        return refuse("file", in_backquotes(edit.file) + " " + *problem);
    const Validated<std::string> text = edited_text(project, edit);
    if (!text) return std::unexpected(text.error());
    if (const auto problem = edit_problem(project, edit.file, *text))
        return refuse("file", in_backquotes(edit.file) + " " + *problem, "`open` lists what you may edit");
    const fs::path path = project.folder / plain_name(edit.file);
    std::error_code error;
    const bool is_new = !fs::exists(path, error);
    fs::create_directories(path.parent_path(), error);
    if (const Result<void> written = write_file_atomic(path, *text); !written)
        return std::unexpected(as_diagnostics(written.error()));
    const auto lines = std::ranges::count(*text, '\n');
    return mcp::Answer{
        std::format("{} {}, {} lines; next: verify", is_new ? "made" : "wrote", plain_name(edit.file), lines),
        {{"file", plain_name(edit.file)}, {"new", is_new}, {"lines", lines}}};
}

mcp::Tool edit_tool(Agent& agent) {
    const auto parameters =
        mcp::Parameters<EditArguments>()
            .required("file", &EditArguments::file, "A source by its path in the project's folder, or a new one")
            .optional("text", &EditArguments::text, "All of the new text")
            .optional("old_text", &EditArguments::old_text, "In place of `text`: what to replace; must occur once")
            .optional("new_text", &EditArguments::new_text, "What takes the place of `old_text`");
    mcp::Tool tool{.name = "edit_source",
                   .title = "Edit a source",
                   .description =
                       "Write one of the candidates' sources, or a new one that they include. What decides "
                       "whether a kernel is right and fast (definition, reference, baseline, tolerances, "
                       "recorded rounds) cannot be edited. Nothing is built or run.",
                   .output_schema = answer_schema({{"file", of_type("string", "Its path")},
                                                   {"new", of_type("boolean", "Whether it was not there before")},
                                                   {"lines", of_type("integer", "That it has now")}})};
    return mcp::with_parameters(std::move(tool), parameters, on_project(agent, edit_source));
}

struct TunableArguments {
    std::string variant;
    Configuration values;
};

Validated<mcp::Answer> set_tunables(Project project, const TunableArguments& arguments) {
    const auto variant = std::ranges::find(project.variants, arguments.variant, &Variant::name);
    if (variant == project.variants.end())
        return refuse("variant", "unknown variant " + in_backquotes(arguments.variant),
                      choice(arguments.variant, names_of(project.variants)));
    if (const auto role = judging_role(project, variant->name))
        return refuse("variant", *role, "its values decide how fast others look");
    const Result<Configuration> chosen = with_changes(*variant, configuration_of(*variant), arguments.values);
    if (!chosen) return refuse("values", chosen.error().message);
    for (Tunable& each : variant->tunables) each.value = chosen->at(each.name);
    if (Diagnostics problems = validate(project); !problems.empty()) return std::unexpected(std::move(problems));
    if (const Result<void> saved = save_project(project); !saved) return std::unexpected(as_diagnostics(saved.error()));
    std::string text = variant->name + ": " + configuration_text(*chosen);
    if (!variant->configurations.empty()) text += "; the variant's rules by case come before these values";
    return mcp::Answer{std::move(text), {{"variant", variant->name}, {"configuration", *chosen}}};
}

mcp::Tool tunable_tool(Agent& agent) {
    const auto parameters =
        mcp::Parameters<TunableArguments>()
            .required("variant", &TunableArguments::variant, "Whose tunables; not of a baseline or reference")
            .required("values", &TunableArguments::values, "New values by name, such as {\"BLOCK_M\": 16}");
    mcp::Tool tool{.name = "set_tunable",
                   .title = "Set tunables",
                   .description = "Make these values the project's. For one run only, give `set` to `run` instead.",
                   .output_schema = answer_schema({{"variant", of_type("string", "Its name")},
                                                   {"configuration", of_type("object", "All its values now")}})};
    return mcp::with_parameters(std::move(tool), parameters, on_project(agent, set_tunables));
}

}  // namespace

std::vector<mcp::Tool> source_tools(Agent& agent) { return {read_tool(agent), edit_tool(agent), tunable_tool(agent)}; }

}  // namespace kernelgen::agent
