// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <format>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "app/cli/print_listing.h"
#include "core/base/text.h"
#include "core/engine/build.h"
#include "core/engine/origin.h"
#include "core/listing/built_code.h"
#include "core/listing/code_outline.h"
#include "core/listing/instruction_mix.h"
#include "core/listing/listing_difference.h"

namespace kernelgen::cli {

namespace {

constexpr const char* assembly_examples = R"(Examples:
  kernelgen assembly projects/softmax                          x86-64, each instruction with its line of the source
  kernelgen assembly projects/softmax --by-line                how many instructions of which kind each line has
  kernelgen assembly projects/softmax --outline                its functions, loops and blocks, and what is in each
  kernelgen assembly projects/softmax --lines 20-35            only what comes from these lines
  kernelgen assembly projects/softmax --device cuda:h200 --kind ptx --json
  kernelgen assembly projects/softmax --set BLOCK_M=8          in another configuration
  kernelgen assembly projects/softmax --against BLOCK_M=8      what differs from that configuration
  kernelgen assembly projects/softmax --against round:3        what differs from a round

Without --kind it is x86-64 of a `cpp` variant, SASS (or PTX where nvdisasm and cuobjdump are missing) of a `cuda` one, PTX
of a `triton` one. See docs/ASSEMBLY.md.)";

struct AssemblyOptions {
    CommonOptions common;
    std::string kind, lines, file, against;
    bool by_line = false, outline = false;
};

/// What is chosen of a listing: lines of one source, which is the variant's where none is named.
Validated<ListingChoice> choice_of(const AssemblyOptions& options) {
    ListingChoice choice{.file = options.file};
    if (options.lines.empty()) return choice;
    const std::vector<std::string> ends = split(options.lines, '-');
    long long first = 0, last = 0;
    const bool is_read = ends.size() <= 2 && parse_integer(ends.front(), first) && parse_integer(ends.back(), last);
    if (!is_read || first < 1 || last < first || last > 1'000'000'000) {
        return std::unexpected(Diagnostics{{"", "--lines", "`" + options.lines + "` is no range of lines",
                                            "a line, or the first and the last one, such as --lines 12-30"}});
    }
    choice.first = static_cast<int>(first);
    choice.last = static_cast<int>(last);
    return choice;
}

/// The choice for a variant, whose file is among those that it is built of.
Validated<ListingChoice> choice_for(const Implementation& candidate, ListingChoice choice) {
    const std::vector<std::string> files = files_of(candidate);
    if (choice.file.empty() && choice.first > 0) choice.file = candidate.variant.source;
    if (choice.file.empty() || std::ranges::contains(files, choice.file)) return choice;
    return std::unexpected(
        Diagnostics{{"", "--file", say("variant `{}` is not built of `{}`", candidate.variant.name, choice.file),
                     "there are: " + join(files, ", ")}});
}

Validated<std::vector<CodeKind>> wanted_kinds(const AssemblyOptions& options, const Variant& variant) {
    const std::vector<CodeKind> kinds = code_kinds_of(variant.language);
    if (options.kind.empty()) return kinds;
    if (const auto kind = code_kind_of(options.kind)) return std::vector{*kind};
    return std::unexpected(
        Diagnostics{{"", "--kind", "no kind of code `" + options.kind + "`",
                     "there are: " + join(texts_of({std::begin(all_code_kinds), std::end(all_code_kinds)}), ", ")}});
}

/// The code of a build in the first of the wanted kinds that it has.
std::optional<Listing> listing_of(const DtypeBuild& build, const std::vector<CodeKind>& kinds,
                                  const Implementation& candidate) {
    for (const CodeKind each : kinds) {
        const auto text = build.result.texts.find(std::string(to_string(each)));
        if (text != build.result.texts.end()) return read_listing(text->second, each, files_of(candidate));
    }
    return std::nullopt;
}

nlohmann::ordered_json document_of_build(const DtypeBuild& build, const std::optional<Listing>& listing,
                                         const AssemblyOptions& options, const ListingChoice& choice) {
    nlohmann::ordered_json document = {{"dtype", to_string(build.dtype)},
                                       {"configuration", build.configuration},
                                       {"status", to_string(build.result.status)}};
    if (!build.result.reason.empty()) document["reason"] = build.result.reason.text();
    if (listing) document["listing"] = to_json(chosen(*listing, choice));
    if (listing && options.outline) document["outline"] = outline_json(*listing);
    nlohmann::ordered_json notes = nlohmann::ordered_json::array();
    for (const CompilerMessage& each : build.result.messages) {
        if (tells_of_missing_text(each)) notes.push_back(each.text.text());
    }
    if (!notes.empty()) document["notes"] = notes;
    return document;
}

/// "variant host for cpu, f32, BLOCK_M=8"
std::string build_name(const RunPlan& plan, const DtypeBuild& build) {
    const std::string name =
        std::format("variant {} for {}, {}", plan.candidate.variant.name, plan.options.device, to_string(build.dtype));
    return build.configuration.empty() ? name : name + ", " + configuration_text(build.configuration);
}

void print_build_code(const RunPlan& plan, const DtypeBuild& build, const std::optional<Listing>& listing,
                      const AssemblyOptions& options, const ListingChoice& choice) {
    std::cout << build_name(plan, build);
    if (listing) std::cout << ": " << to_string(listing->kind);
    std::cout << "\n";
    if (build.result.status != Status::ok) print_build(std::cout, build.result);
    for (const CompilerMessage& each : build.result.messages) {
        if (build.result.status == Status::ok && (tells_of_missing_text(each) || !listing))
            std::cout << "note: " << each.text.text() << "\n";
    }
    if (!listing) return;
    if (options.outline) print_outline(std::cout, *listing);
    else if (options.by_line) print_by_line(std::cout, chosen(*listing, choice), plan.candidate);
    else print_listing(std::cout, chosen(*listing, choice));
}

/// The plan whose code is compared with: the variant in a round or commit, or in another configuration.
Validated<RunPlan> plan_against(const AssemblyOptions& options, const RunPlan& plan) {
    CommonOptions other = options.common;
    other.run.variant = plan.candidate.variant.name;
    if (is_origin(options.against)) {
        const auto origin = original(plan.project, options.against, plan.candidate.variant.name);
        const std::string name = origin ? origin->implementation.variant.name : plan.candidate.variant.name;
        if (name != plan.candidate.variant.name)
            return std::unexpected(
                Diagnostics{{"", "--against", say("`{}` is of the variant `{}`", options.against, name),
                             say("compare with --variant {}", name)}});
        other.run.from = options.against;
        other.settings.clear();
    } else {
        for (const std::string& each : split(options.against, ',')) {
            const std::string name = each.substr(0, each.find('=') + 1);
            std::erase_if(other.settings,
                          [&](const std::string& set) { return !name.empty() && set.starts_with(name); });
            other.settings.push_back(each);
        }
    }
    Validated<RunPlan> made = make_plan(other);
    if (made) return made;
    Diagnostics wrong = made.error();
    for (Diagnostic& each : wrong)
        if (each.where == "--set" || each.where == "--from") each.where = "--against";
    return std::unexpected(std::move(wrong));
}

/// The builds that are compared with; of a plan whose options ask for none, none.
struct Others {
    std::vector<DtypeBuild> builds;
    std::optional<RunPlan> plan;

    /// That of the same dtype and, where several configurations are built, the same place among them.
    const DtypeBuild* of(const std::vector<DtypeBuild>& builds_of_plan, std::size_t place) const {
        if (builds.size() == builds_of_plan.size() && builds[place].dtype == builds_of_plan[place].dtype)
            return &builds[place];
        const auto found = std::ranges::find(builds, builds_of_plan[place].dtype, &DtypeBuild::dtype);
        return found == builds.end() ? nullptr : &*found;
    }
};

Validated<Others> others_of(const AssemblyOptions& options, const RunPlan& plan, const std::vector<std::string>& texts,
                            WorkerClient& worker, std::stop_token stop) {
    if (options.against.empty()) return Others();
    Validated<RunPlan> other = plan_against(options, plan);
    if (!other) return std::unexpected(other.error());
    Others others{build_candidate(*other, texts, worker, terminal_progress(), stop), std::move(*other)};
    return others;
}

/// Why there is no code to compare with.
Diagnostic no_other(const AssemblyOptions& options, const DtypeBuild* other) {
    const Said why =
        other == nullptr || other->result.reason.empty() ? Said("it has no such code") : other->result.reason;
    const bool is_built = other == nullptr || other->result.status == Status::ok;
    return Diagnostic{"", "--against", say("nothing to compare with in `{}`: {}", options.against, why), "",
                      is_built ? Status::unavailable : other->result.status};
}

/// What options ask for that does not go together.
Diagnostics contradictions(const AssemblyOptions& options) {
    const bool is_part = options.by_line || options.outline || !options.lines.empty() || !options.file.empty();
    if (!options.against.empty() && is_part)
        return {{"", "--against", "a difference is of the whole code",
                 "leave out --by-line, --outline, --lines and --file"}};
    if (options.outline && (options.by_line || !options.lines.empty() || !options.file.empty()))
        return {{"", "--outline", "an outline is of the whole code", "leave out --by-line, --lines and --file"}};
    return {};
}

/// Shows the builds of one plan, and notes what they came to.
class BuildsOfPlan {
public:
    BuildsOfPlan(const AssemblyOptions& options, const RunPlan& plan, const std::vector<CodeKind>& kinds,
                 const ListingChoice& choice)
        : options_(options), plan_(plan), kinds_(kinds), choice_(choice) {}

    void show(const std::vector<DtypeBuild>& builds, const Others& others, bool json) {
        for (std::size_t place = 0; place < builds.size(); ++place) {
            const std::optional<Listing> listing = listing_of(builds[place], kinds_, plan_.candidate);
            status = worst(status, builds[place].result.status);
            lacks_code = lacks_code || !listing;
            const DtypeBuild* other = others.plan && listing ? others.of(builds, place) : nullptr;
            std::optional<Listing> before;
            if (other != nullptr) before = listing_of(*other, {listing->kind}, others.plan->candidate);
            std::optional<Diagnostic> why_none;
            if (others.plan && listing && !before) why_none = no_other(options_, other);
            if (json) describe(builds[place], listing, before, why_none);
            else print(builds[place], listing, before, others, other);
            if (why_none) missing.push_back(*why_none);
        }
    }

    nlohmann::ordered_json documents = nlohmann::ordered_json::array();
    Status status = Status::ok;
    bool lacks_code = false;
    Diagnostics missing;  ///< code to compare with

private:
    void describe(const DtypeBuild& build, const std::optional<Listing>& listing, const std::optional<Listing>& before,
                  const std::optional<Diagnostic>& why_none) {
        documents.push_back(document_of_build(build, listing, options_, choice_));
        if (before) documents.back()["difference"] = to_json(difference_between(*before, *listing), *before);
        if (why_none)
            documents.back()["difference"] = {{"status", to_string(why_none->status)},
                                              {"reason", why_none->message.text()}};
    }

    void print(const DtypeBuild& build, const std::optional<Listing>& listing, const std::optional<Listing>& before,
               const Others& others, const DtypeBuild* other) const {
        print_build_code(plan_, build, before ? std::nullopt : listing, options_, choice_);
        if (!before) return;
        std::cout << "against " << options_.against << ": " << build_name(*others.plan, *other) << "\n";
        print_difference(std::cout, *before, *listing);
    }

    const AssemblyOptions& options_;
    const RunPlan& plan_;
    const std::vector<CodeKind>& kinds_;
    const ListingChoice& choice_;
};

/// The exit status, after the complaint about what could not be compared with.
int end_of(Status status, bool lacks_code, const Diagnostics& missing) {
    complain(missing);
    for (const Diagnostic& each : missing) status = worst(status, each.status);
    return status == Status::ok && lacks_code ? int{exit_not_run} : exit_status_of(status);
}

int assembly_command(AssemblyOptions& options, Context& context) {
    const InterruptGuard guard(context.interrupted);
    const Validated<ListingChoice> asked = choice_of(options);
    if (!asked) return report(context, asked.error());
    if (const Diagnostics wrong = contradictions(options); !wrong.empty()) return report(context, wrong);
    const auto begun = begin_run(options.common, context);
    if (!begun) return begun.error();
    const std::stop_token stop = context.interrupted.get_token();
    std::vector<nlohmann::ordered_json> documents;
    Status status = Status::ok;
    bool lacks_code = false;
    Diagnostics missing;
    for (const RunPlan& plan : begun->plans) {
        const auto kinds = wanted_kinds(options, plan.candidate.variant);
        if (!kinds) return report(context, kinds.error());
        const auto choice = choice_for(plan.candidate, *asked);
        if (!choice) return report(context, choice.error());
        const std::vector<std::string> texts = kinds->empty() ? std::vector<std::string>{"assembly"} : texts_of(*kinds);
        const std::vector<DtypeBuild> builds = build_candidate(plan, texts, *begun->worker, terminal_progress(), stop);
        const auto others = others_of(options, plan, texts, *begun->worker, stop);
        clear_progress();
        if (!others) return report(context, others.error());
        BuildsOfPlan shown(options, plan, *kinds, *choice);
        shown.show(builds, *others, context.json);
        status = worst(status, shown.status);
        lacks_code = lacks_code || shown.lacks_code;
        std::ranges::copy(shown.missing, std::back_inserter(missing));
        documents.push_back({{"variant", plan.candidate.variant.name},
                             {"device", plan.options.device},
                             {"builds", std::move(shown.documents)}});
    }
    if (context.json) print_variants_json(documents);
    return end_of(status, lacks_code, missing);
}

}  // namespace

void add_assembly(CLI::App& app, Context& context) {
    auto options = std::make_shared<AssemblyOptions>();
    CLI::App* command =
        app.add_subcommand("assembly", "The code that a variant is built to, with the lines of its sources");
    add_common(*command, options->common);
    command->add_option("--kind", options->kind, "assembly (x86-64), ptx, sass, ttgir or ttir");
    command->add_option("--lines", options->lines,
                        "Only what comes from these lines of the source, or of --file, such as 12-30");
    command->add_option("--file", options->file, "Only what comes from this file of the project");
    command->add_option("--against", options->against,
                        "What differs from the code of round:N, git:REV, or another configuration: NAME=VALUE,…");
    command->add_flag("--by-line", options->by_line,
                      "For each line of the source: how many instructions of which kind");
    command->add_flag("--outline", options->outline,
                      "The functions, loops and blocks of the code, and what the instructions of each are");
    command->footer(assembly_examples);
    command->callback([options, &context] { context.exit_status = assembly_command(*options, context); });
}

}  // namespace kernelgen::cli
