// SPDX-License-Identifier: Apache-2.0
#include "core/engine/origin.h"

#include <chrono>
#include <format>
#include <limits>

#include "core/base/process.h"
#include "core/base/text.h"
#include "core/project/project_file.h"
#include "core/project/source_files.h"
#include "core/round/history.h"

namespace kernelgen {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view of_round = "round:", of_commit = "git:";
constexpr std::size_t file_limit_bytes = 4 << 20;

Result<Original> from_round(const Project& project, const std::string& text) {
    long long number = 0;
    if (!parse_integer(text, number) || number < 0 || number > std::numeric_limits<int>::max())
        return fail("`round:" + text + "` names no round; write round:N, such as round:3");
    Result<RoundDetail> detail = load_round_detail(project.folder, static_cast<int>(number));
    if (!detail) return std::unexpected(detail.error());
    return Original{std::move(detail->candidate), std::format("round-{}", number)};
}

/// Runs git in the project's folder.
Result<Finished> git(const fs::path& folder, std::vector<std::string> arguments) {
    Command command;
    command.arguments = {"git", "-C", folder.string()};
    command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
    command.environment = {{"LC_ALL", "C"}};
    Result<Finished> done = run_to_end(std::move(command), {}, std::chrono::seconds(60), file_limit_bytes + 1);
    if (!done) return fail(say("cannot read from git: {}", done.error().message));
    if (done->timed_out) return fail("git did not answer within a minute");
    return done;
}

/// A reader of the files of the project's folder as they were in a commit.
SourceReader commit_reader(const fs::path& folder, const std::string& commit) {
    return [folder, commit](const std::string& path) -> Result<std::optional<std::string>> {
        if (fs::path(path).is_absolute()) return std::nullopt;
        const std::string name = std::format("{}:./{}", commit, path);
        const Result<Finished> kind = git(folder, {"cat-file", "-t", name});
        if (!kind) return std::unexpected(kind.error());
        if (!kind->exit.success() || trim(kind->output) != "blob") return std::nullopt;
        Result<Finished> shown = git(folder, {"cat-file", "blob", name});
        if (!shown) return std::unexpected(shown.error());
        if (shown->output.size() > file_limit_bytes) return fail(path + " is larger than 4 MiB in " + commit);
        return std::move(shown->output);
    };
}

/// The commit's full name, so that neither an option nor a later change of a branch is read.
Result<std::string> commit_of(const fs::path& folder, const std::string& revision) {
    const Result<Finished> found =
        git(folder, {"rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"});
    if (!found) return std::unexpected(found.error());
    if (!found->exit.success() || trim(found->output).empty()) {
        const std::string said(trim(found->output));
        return fail(
            std::format("git has no commit `{}` for {}{}", revision, folder.string(), said.empty() ? "" : ": " + said));
    }
    return std::string(trim(found->output));
}

/// The variant as `read` has it; `revision` is for messages.
Result<Implementation> read_variant(const Project& project, const std::string& revision, const std::string& name,
                                    const SourceReader& read) {
    const Result<std::optional<std::string>> text = read("project.json");
    if (!text) return std::unexpected(text.error());
    if (!*text) return fail(say("`{}` has no project.json in {}", revision, project.folder.string()));
    Validated<Project> then = parse_draft(**text, project.folder / "project.json");
    if (!then) return fail(say("project.json of `{}`: {}", revision, to_string(then.error())));
    if (!then->unread.empty()) return fail(say("project.json of `{}`: {}", revision, to_string(errors_of(*then))));
    const Variant* variant = then->find_variant(name);
    if (variant == nullptr) return fail(say("project.json of `{}` has no variant `{}`", revision, name));
    Implementation made{*variant, "", configuration_of(*variant)};
    if (!variant->source.empty()) {
        Result<std::optional<std::string>> source = read(variant->source);
        if (!source) return std::unexpected(source.error());
        if (!*source) return fail(say("`{}` has no {}", revision, variant->source));
        made.text = std::move(**source);
    }
    Result<SourceFiles> files = further_sources(*then, *variant, made.text, read);
    if (!files) return std::unexpected(files.error());
    made.files = std::move(*files);
    return made;
}

Result<Original> from_commit(const Project& project, const std::string& revision, const std::string& name) {
    constexpr std::size_t digits = 12;
    const fs::path folder = project.folder.empty() ? fs::path(".") : project.folder;
    const Result<std::string> commit = commit_of(folder, revision);
    if (!commit) return std::unexpected(commit.error());
    Result<Implementation> made = read_variant(project, revision, name, commit_reader(folder, *commit));
    if (!made) return std::unexpected(made.error());
    return Original{std::move(*made), "git-" + commit->substr(0, digits)};
}

}  // namespace

bool is_origin(std::string_view text) { return text.starts_with(of_round) || text.starts_with(of_commit); }

Result<Original> original(const Project& project, const std::string& origin, const std::string& variant) {
    if (origin.starts_with(of_round)) return from_round(project, origin.substr(of_round.size()));
    if (origin.starts_with(of_commit)) return from_commit(project, origin.substr(of_commit.size()), variant);
    return fail(say("`{}` is neither round:N nor git:REV", origin));
}

}  // namespace kernelgen
