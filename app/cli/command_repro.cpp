// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <format>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "core/base/file.h"
#include "core/base/keeper.h"
#include "core/base/process.h"
#include "core/base/program_path.h"
#include "core/base/text.h"
#include "core/engine/device_numbers.h"
#include "core/explain/explanation.h"
#include "core/explain/repro.h"
#include "core/project/by_case.h"
#include "core/project/project_file.h"
#include "core/round/history.h"

namespace kernelgen::cli {

namespace {

constexpr const char* repro_examples = R"(Examples:
  kernelgen repro mine                      the check that failed last, or the first case
  kernelgen repro mine 3 --gdb              of round 3, with the sources that it had
  kernelgen repro mine --case P=1,D=257,dtype=f32 --inputs nan --seed 2
  kernelgen repro mine --guard end --gdb    stops at the first access beyond a buffer's end
  kernelgen repro mine --device cuda:0 --compute-sanitizer)";

struct ReproOptions {
    CommonOptions common;
    std::optional<int> round;
    std::string inputs, guard;
    std::optional<std::uint64_t> seed;
    int threads = 1;
    bool gdb = false, sanitizer = false;
    bool is_device_given = false;
};

/// The call that is to be repeated, and why this one.
struct ReproChoice {
    Implementation implementation;
    Case binding;
    InputSet set = InputSet::normal;
    std::uint64_t seed = 1;
    Status status = Status::ok;            ///< of the check, where one is stored
    std::filesystem::path sources_folder;  ///< for the debugger
    std::string whence;
};

void take_check(const RoundDetail& detail, ReproChoice& chosen) {
    const CaseAccuracy* failed = failing_check(detail.verification);
    if (failed == nullptr) return;
    chosen.binding = failed->binding;
    chosen.set = failed->set;
    chosen.seed = failed->seed;
    chosen.status = failed->status;
    chosen.whence = std::format("the check that failed in round {}", detail.round.number);
}

/// The last round that failed with these very sources, where there is one.
void take_last_failure(const Project& project, ReproChoice& chosen) {
    const Result<History> history = load_history(project.folder);
    if (!history) return;
    const std::string hash = hash_of_sources(chosen.implementation);
    for (auto round = history->rounds.rbegin(); round != history->rounds.rend(); ++round) {
        if (round->source_hash != hash || round->variant != chosen.implementation.variant.name) continue;
        if (const Result<RoundDetail> detail = load_round_detail(project.folder, round->number))
            take_check(*detail, chosen);
        return;
    }
}

/// The plan of a round as it was: its definition, variant, sources and configuration, on its device where no other is
/// chosen.
Validated<RunPlan> plan_of_round(const Project& project, const RoundDetail& detail, RunOptions options,
                                 bool is_device_given) {
    Project then = project;
    then.folder = project.folder / "rounds" / std::to_string(detail.round.number);
    then.definition = detail.definition;
    then.variants = {detail.candidate.variant};
    options.baseline = options.variant = detail.candidate.variant.name;
    if (!is_device_given) options.device = detail.round.device;
    Validated<RunPlan> plan = plan_run(then, options);
    if (plan) plan->candidate = detail.candidate;
    return plan;
}

/// What was asked of a round that it cannot be: it is called as it was.
std::optional<std::string> not_of_round(const RunOptions& asked, const RoundDetail& detail) {
    const Round& round = detail.round;
    if (!asked.variant.empty() && asked.variant != round.variant)
        return std::format("--variant: round {} is of `{}`; leave the round out to call `{}` as it is now",
                           round.number, round.variant, asked.variant);
    if (asked.changes.empty()) return std::nullopt;
    return std::format("--set: round {} is called with the values that it had; leave the round out to choose others",
                       round.number);
}

/// What is replayed: the present kernel, or that of a round.
struct Replayed {
    RunPlan plan;
    std::optional<RoundDetail> round = {};
};
Validated<Replayed> choose_kernel(ReproOptions& options) {
    if (!options.round) {
        Validated<RunPlan> plan = make_plan(options.common);
        if (!plan) return std::unexpected(plan.error());
        return Replayed{std::move(*plan)};
    }
    const Validated<Project> project = load_chosen(options.common);
    if (!project) return std::unexpected(project.error());
    Result<RoundDetail> detail = load_round_detail(project->folder, *options.round);
    if (!detail) return std::unexpected(Diagnostics{{"", "", detail.error().message, ""}});
    if (const auto problem = not_of_round(options.common.run, *detail))
        return std::unexpected(Diagnostics{{"", "", *problem, ""}});
    Validated<RunPlan> plan = plan_of_round(*project, *detail, options.common.run, options.is_device_given);
    if (!plan) return std::unexpected(plan.error());
    return Replayed{std::move(*plan), std::move(*detail)};
}

Result<ReproChoice> choose_call(const Replayed& replayed, const ReproOptions& options) {
    const RunPlan& plan = replayed.plan;
    ReproChoice chosen{.implementation = plan.candidate,
                       .binding = plan.cases.front(),
                       .sources_folder = plan.project.folder,
                       .whence = "the first case"};
    if (replayed.round) take_check(*replayed.round, chosen);
    else take_last_failure(plan.project, chosen);
    if (!options.common.run.cases.empty()) {
        chosen.binding = plan.cases.front();
        chosen.whence = "as chosen";
    }
    if (!options.inputs.empty()) {
        const auto set = parse_input_set(options.inputs);
        if (!set)
            return fail("--inputs: `" + options.inputs +
                        "` is no set of inputs; there are normal, zeros, ones, "
                        "tiny, large, wide, negative, nan, infinity and mixed");
        chosen.set = *set;
    }
    if (options.seed) chosen.seed = *options.seed;
    return chosen;
}

/// Why a variant cannot be called outside of a worker, and what to do instead.
std::optional<std::string> cannot_repro(const RunPlan& plan, const ReproChoice& chosen) {
    const Language language = chosen.implementation.variant.language;
    if (language == Language::triton)
        return "a Triton kernel runs in Python: set TRITON_INTERPRET=1 and run its accuracy test under `python -m "
               "pdb`, or "
               "write the failing check's tensors with `kernelgen verify PROJECT --dump DIR`";
    if (runs_in_python(language) || has_file(plan.project.definition.family))
        return "this variant runs in Python: write the failing check's tensors with `kernelgen verify PROJECT --dump "
               "DIR`, "
               "and call it on them under `python -m pdb`";
    return std::nullopt;
}

/// The tool in front of the call, empty without one; or what is missing and what to do.
Result<std::vector<std::string>> tool_arguments(const ReproOptions& options, const ReproChoice& chosen, bool is_cuda,
                                                bool is_batch) {
    if (options.sanitizer) {
        if (!is_cuda)
            return fail(
                "compute-sanitizer checks CUDA kernels; on the CPU, --guard end finds what is beyond a buffer, "
                "and `\"flags\": [\"-fsanitize=undefined\"]` of the variant what is undefined");
        if (!is_on_path("compute-sanitizer"))
            return fail(
                "compute-sanitizer is not on PATH: it comes with the CUDA toolkit (package cuda-sanitizer), in "
                "/usr/local/cuda/bin as a rule");
        return std::vector<std::string>{"compute-sanitizer", "--show-backtrace", "device"};
    }
    if (!options.gdb) return std::vector<std::string>{};
    const std::string debugger = is_cuda ? "cuda-gdb" : "gdb";
    if (!is_on_path(debugger))
        return fail(debugger + " is not on PATH: " +
                    (is_cuda ? "it comes with the CUDA toolkit, in /usr/local/cuda/bin as a rule"
                             : "install it (`apt-get install gdb`)"));
    std::vector<std::string> arguments = {debugger, "-q"};
    const auto add = [&](const std::string& command) { arguments.insert(arguments.end(), {"-ex", command}); };
    if (is_batch) arguments.emplace_back("-batch");
    add("set breakpoint pending on");
    add("directory " + std::filesystem::absolute(chosen.sources_folder).string());
    if (!is_batch) add("break " + chosen.implementation.variant.entry);
    add("run");
    if (is_batch) add("backtrace");
    if (is_batch) add("info locals");
    if (is_batch) add("quit $_isvoid($_exitcode) ? 4 : $_exitcode");  // the call's status, or `crashed`
    arguments.emplace_back("--args");
    return arguments;
}

/// Builds for the debugger, and plans the call.
Result<ReproCall> prepare_call(const RunPlan& plan, const ReproOptions& options, ReproChoice& chosen,
                               WorkerClient& worker, const Context& context) {
    chosen.implementation.device = worker.device_numbers(plan.options.device, context.interrupted.get_token());
    Implementation on_case = for_case(chosen.implementation, chosen.binding);
    if (on_case.variant.language == Language::cpp) on_case.variant.flags.emplace_back("-g");
    BuildRequest request{plan.project.definition, on_case, chosen.binding.dtype, plan.options.device, {}, {}};
    const BuildResult built = worker.build(request, "", terminal_progress(), context.interrupted.get_token());
    clear_progress();
    if (built.status != Status::ok) return fail(say("{}: {}", to_string(built.status), built.reason));
    Result<Call> call = make_call(plan.project.definition, on_case, chosen.binding);
    if (!call) return std::unexpected(call.error());
    ReproCall repro{.artifact = built.artifact,
                    .call = std::move(*call),
                    .definition = plan.project.definition,
                    .binding = chosen.binding,
                    .accuracy = plan.project.accuracy,
                    .set = chosen.set,
                    .seed = chosen.seed};
    repro.threads = options.threads;
    const bool is_beyond = chosen.status == Status::out_of_bounds || chosen.status == Status::crashed;
    if (is_beyond) repro.placement = Placement::ends_guarded;
    if (const auto guard = parse_guard(options.guard)) repro.placement = *guard;
    return repro;
}

/// The file that describes the call, in the cache: the debugger reads it when the call is made again.
Result<std::string> write_call(const ReproCall& repro) {
    const std::string text = to_json(repro).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    const std::filesystem::path folder = cache_folder() / "repro";
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    const std::string file = (folder / (hash_hex(text) + ".json")).string();
    if (const Result<void> written = write_file_atomic(file, text); !written) return std::unexpected(written.error());
    return file;
}

std::string command_text(const std::vector<std::string>& command) {
    std::string text;
    for (const std::string& each : command) text += (text.empty() ? "" : " ") + as_word(each);
    return text;
}

/// Runs to the end and tells the output as a document.
int run_captured(const std::vector<std::string>& command, const ReproChoice& chosen, const Context& context) {
    const Result<Finished> done = run_to_end({.arguments = command, .environment = {}, .folder = {}, .descriptors = {}},
                                             context.interrupted.get_token());
    if (!done) return report(context, done.error(), exit_not_run);
    print_json({{"case", nlohmann::ordered_json(to_json(chosen.binding))},
                {"set", to_string(chosen.set)},
                {"seed", chosen.seed},
                {"command", command},
                {"ended", to_string(done->exit)},
                {"output", done->output}});
    if (done->exit.success()) return exit_done;
    return done->exit.status == exit_not_verified ? exit_not_verified : exit_not_run;
}

/// Replaces this process by the command, so that a debugger has the terminal.
int become(const std::vector<std::string>& command, const ReproChoice& chosen, const Context& context) {
    std::cout << std::format("{}: {}, inputs `{}`, seed {}\n", chosen.whence, chosen.binding.name,
                             to_string(chosen.set), chosen.seed)
              << "again: " << command_text(command) << "\n"
              << std::flush;
    std::vector<char*> arguments;
    for (const std::string& each : command) arguments.push_back(const_cast<char*>(each.c_str()));
    arguments.push_back(nullptr);
    ::execvp(arguments[0], arguments.data());
    return report(context, Error{"cannot start " + command[0] + ": " + std::strerror(errno)}, exit_not_run);
}

Result<std::vector<std::string>> command_for(const RunPlan& plan, const ReproOptions& options, ReproChoice& chosen,
                                             const Context& context) {
    const std::string& device = plan.options.device;
    const bool is_cuda = kind_of_device(device) == "cuda", is_batch = context.json || ::isatty(STDIN_FILENO) == 0;
    Result<std::vector<std::string>> command = tool_arguments(options, chosen, is_cuda, is_batch);
    if (!command) return command;
    const auto worker = context.start_worker();
    if (!worker) return std::unexpected(worker.error());
    const Result<ReproCall> repro = prepare_call(plan, options, chosen, **worker, context);
    if (!repro) return std::unexpected(repro.error());
    const Result<std::string> file = write_call(*repro);
    if (!file) return std::unexpected(file.error());
    command->push_back(context.program);
    if (is_cuda) command->insert(command->end(), {"cuda-once", device.substr(device.find(':') + 1)});
    else command->emplace_back("host-once");
    command->push_back(*file);
    const bool has_tool = options.gdb || options.sanitizer;  // these have to see the processes of the system
    return has_tool ? *command : keeper_command(*command);
}

int repro_command(ReproOptions& options, Context& context) {
    const Validated<Replayed> replayed = choose_kernel(options);
    if (!replayed) return report(context, replayed.error());
    const RunPlan& plan = replayed->plan;
    if (!options.guard.empty() && !parse_guard(options.guard))
        return report(context, Error{"--guard: `" + options.guard + "` is none of none, end, start"});
    if (!context.workers.empty())
        return report(context, Error{"a call is replayed on this machine: leave --worker out, and start this there"});
    Result<ReproChoice> chosen = choose_call(*replayed, options);
    if (!chosen) return report(context, chosen.error());
    if (const auto why = cannot_repro(plan, *chosen)) return report(context, Error{*why}, exit_not_run);
    Result<std::vector<std::string>> command(std::vector<std::string>{});
    {
        const InterruptGuard guard(context.interrupted);
        command = command_for(plan, options, *chosen, context);
    }
    if (!command) return report(context, command.error(), exit_not_run);
    return context.json ? run_captured(*command, *chosen, context) : become(*command, *chosen, context);
}

}  // namespace

void add_repro(CLI::App& app, Context& context) {
    auto options = std::make_shared<ReproOptions>();
    CLI::App* command =
        app.add_subcommand("repro", "Make one call of a kernel again, outside of the worker, for a debugger");
    add_common(*command, options->common);
    command->add_option("ROUND", options->round, "A round, with the sources and the failing check that it had");
    command->add_option("--inputs", options->inputs, "The set of inputs; default: the failing check's, or normal");
    command->add_option("--seed", options->seed, "The inputs' seed; default: the failing check's, or 1");
    command->add_option("--guard", options->guard,
                        "Unreadable pages at the buffers' `end` or `start`, or `none`; default: as the check failed");
    command->add_option("--threads", options->threads, "Threads that run the programs, on a CPU")
        ->capture_default_str()
        ->check(CLI::Range(1, 1024));
    CLI::Option* gdb = command->add_flag("--gdb", options->gdb, "Under gdb (CUDA: cuda-gdb), stopped at the kernel");
    command->add_flag("--compute-sanitizer", options->sanitizer, "CUDA: under compute-sanitizer")->excludes(gdb);
    command->footer(repro_examples);
    command->callback([options, command, &context] {
        options->is_device_given = command->count("--device") > 0;
        context.exit_status = repro_command(*options, context);
    });
}

}  // namespace kernelgen::cli
