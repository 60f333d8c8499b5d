// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <format>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "core/base/file.h"
#include "core/project/project_file.h"

namespace kernelgen::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* examples = R"(Examples:
  kernelgen selftest --device cuda:0     every sample, and kernels that go wrong in every way
  kernelgen selftest --device cpu --project softmax)";

constexpr double kernel_limit_seconds = 5;  ///< one that hangs is ended then
constexpr std::string_view dtypes[] = {"f32", "f16", "bf16"};

/// Variants of resources/selftest with the status that each must end in; `right` comes last again.
struct Hostile {
    std::string_view variant;
    Status expected;
};
constexpr Hostile hostile[] = {
    {"right", Status::ok},
    {"illegal_address", Status::crashed},
    {"infinite_loop", Status::timed_out},
    {"misaligned", Status::crashed},
    {"too_much_shared", Status::over_limit},
    {"too_many_threads", Status::over_limit},
    {"failed_assertion", Status::crashed},
    {"race", Status::nondeterministic},
    {"past_the_end", Status::out_of_bounds},
    {"before_the_start", Status::out_of_bounds},
    {"leaves_the_last", Status::unwritten},
    {"writes_its_input", Status::input_modified},
    {"only_nan", Status::mismatch},
    {"does_not_compile", Status::build_failed},
    {"wrong_signature", Status::build_failed},
    {"no_entry", Status::build_failed},
    {"right", Status::ok},
};

/// One line of the selftest's table.
struct Attempt {
    std::string project, variant;
    Status expected = Status::ok;
    VerifyResult result;

    bool as_expected() const { return result.status == expected; }
};

class Selftest {
public:
    Selftest(DeviceInfo device, Context& context, WorkerClient& worker)
        : device_(std::move(device)), context_(context), worker_(worker) {}

    /// Every kernel of a sample that the device can run, on awkward sizes and edge values in each dtype.
    void run_project(const Project& project);
    void run_hostile(const Project& project);
    const std::vector<Attempt>& attempts() const { return attempts_; }

private:
    bool is_tested(const Variant& variant) const;
    void attempt(const Project& project, const std::string& variant, std::vector<std::string> cases, Status expected);

    DeviceInfo device_;
    Context& context_;
    WorkerClient& worker_;
    std::vector<Attempt> attempts_;
};

/// A small case of each dtype: what matters is run on awkward sizes.
std::vector<std::string> small_cases(const Project& project) {
    std::vector<std::string> cases;
    for (const std::string_view dtype : dtypes) {
        std::string text;
        for (const std::string& symbol : project.definition.symbols) text += symbol + "=512,";
        cases.push_back(text + "dtype=" + std::string(dtype));
    }
    return cases;
}

/// What libraries compute is theirs to test, and Triton's interpreter is not what its kernels are meant for.
bool Selftest::is_tested(const Variant& variant) const {
    const bool is_interpreted = variant.language == Language::triton && kind_of_device(device_.name) == "cpu";
    const bool is_kernel = variant.language != Language::library && variant.language != Language::torch;
    return is_kernel && !is_interpreted && runs_on(variant, device_.name) &&
           std::ranges::find(device_.languages, variant.language) != device_.languages.end();
}

void Selftest::run_project(const Project& project) {
    for (const Variant& variant : project.variants) {
        if (is_tested(variant)) attempt(project, variant.name, small_cases(project), Status::ok);
    }
}

void Selftest::run_hostile(const Project& project) {
    for (const Hostile& each : hostile) attempt(project, std::string(each.variant), {}, each.expected);
}

void Selftest::attempt(const Project& project, const std::string& variant, std::vector<std::string> cases,
                       Status expected) {
    if (context_.interrupted.stop_requested()) return;
    RunOptions options;
    options.variant = variant;
    options.device = device_.name;
    options.cases = std::move(cases);
    options.timeout_seconds = kernel_limit_seconds;
    Attempt made{project.definition.name, variant, expected, {}};
    if (const Checked<RunPlan> plan = plan_run(project, options)) {
        made.result = verify_candidate(*plan, worker_, terminal_progress(), context_.interrupted.get_token());
    } else {
        made.result.status = Status::unavailable;
        made.result.reason = to_string(plan.error());
    }
    clear_progress();
    attempts_.push_back(std::move(made));
}

std::string first_line(const std::string& text) {
    constexpr std::size_t longest = 100;
    std::string line = text.substr(0, text.find('\n'));
    if (line.size() > longest) line = line.substr(0, longest) + "…";
    return line;
}

void print_attempts(const std::vector<Attempt>& attempts) {
    Table table{{"operator", "variant", "checks", "seconds", "status", "", "reason"}, {}};
    for (const Attempt& each : attempts) {
        table.rows.push_back({each.project, each.variant, std::to_string(each.result.checks),
                              std::format("{:.1f}", each.result.seconds), std::string(to_string(each.result.status)),
                              each.as_expected() ? "as expected" : "EXPECTED " + std::string(to_string(each.expected)),
                              first_line(each.result.reason)});
    }
    print_table(std::cout, table);
}

void print_document(const std::string& device, const std::vector<Attempt>& attempts) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Attempt& each : attempts) {
        list.push_back({{"operator", each.project},
                        {"variant", each.variant},
                        {"status", to_string(each.result.status)},
                        {"expected", to_string(each.expected)},
                        {"as_expected", each.as_expected()},
                        {"checks", each.result.checks},
                        {"seconds", each.result.seconds},
                        {"reason", each.result.reason}});
    }
    print_json({{"device", device}, {"attempts", list}});
}

Checked<std::vector<Project>> sample_projects(const std::string& only) {
    std::vector<fs::path> folders;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(resource_folder() / "projects", error)) {
        const bool is_wanted = only.empty() || entry.path().filename() == only;
        if (is_wanted && fs::exists(entry.path() / "project.json", error)) folders.push_back(entry.path());
    }
    std::ranges::sort(folders);
    if (folders.empty())
        return std::unexpected(Diagnostics{{"", "--project", "there is no sample `" + only + "`", ""}});
    std::vector<Project> projects;
    for (const fs::path& folder : folders) {
        Checked<Project> project = load_project(folder);
        if (!project) return std::unexpected(project.error());
        projects.push_back(std::move(*project));
    }
    return projects;
}

/// The device where it is there; otherwise a message says why not.
std::optional<DeviceInfo> find_device(WorkerClient& worker, const std::string& device, Context& context) {
    const auto devices = worker.devices(context.interrupted.get_token());
    std::string reason = "no device `" + device + "` here; `kernelgen devices` lists them";
    if (!devices) reason = devices.error().message;
    for (const WorkerDevice& each : devices.value_or(std::vector<WorkerDevice>{})) {
        if (each.info.name == device && each.info.available) return each.info;
        if (each.info.name == device) reason = device + ": " + each.info.reason;
    }
    report(context, Error{reason}, exit_not_run);
    return std::nullopt;
}

int selftest_command(const std::string& device, const std::string& only, Context& context) {
    const Checked<std::vector<Project>> projects = sample_projects(only);
    if (!projects) return report(context, projects.error());
    const Checked<Project> hostile_kernels = load_project(resource_folder() / "selftest");
    if (!hostile_kernels) return report(context, hostile_kernels.error());
    const InterruptGuard guard(context.interrupted);
    const auto worker = context.start_worker();
    if (!worker) return report(context, worker.error(), exit_not_run);
    const std::optional<DeviceInfo> found = find_device(**worker, device, context);
    if (!found) return exit_not_run;
    Selftest selftest(*found, context, **worker);
    for (const Project& project : *projects) selftest.run_project(project);
    if (only.empty() && kind_of_device(device) == "cuda") selftest.run_hostile(*hostile_kernels);
    if (context.json) print_document(device, selftest.attempts());
    else print_attempts(selftest.attempts());
    if (context.interrupted.stop_requested()) return exit_cancelled;
    const auto failed =
        std::ranges::count_if(selftest.attempts(), [](const Attempt& each) { return !each.as_expected(); });
    if (!context.json)
        std::cout << std::format("{} of {} as expected\n",
                                 selftest.attempts().size() - static_cast<std::size_t>(failed),
                                 selftest.attempts().size());
    return failed == 0 ? exit_done : exit_not_verified;
}

}  // namespace

void add_selftest(CLI::App& app, Context& context) {
    auto device = std::make_shared<std::string>("cpu");
    auto only = std::make_shared<std::string>();
    CLI::App* command =
        app.add_subcommand("selftest", "Verify every sample on a device, and that it survives bad kernels");
    command->add_option("--device", *device, "Where: cpu, cuda:0, …")->capture_default_str();
    command->add_option("--project", *only, "Only this sample, without the bad kernels");
    command->footer(examples);
    command->callback([=, &context] { context.exit_status = selftest_command(*device, *only, context); });
}

}  // namespace kernelgen::cli
