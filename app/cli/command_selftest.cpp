// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <format>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/commands.h"
#include "app/cli/selftest.h"
#include "core/base/file.h"
#include "core/project/project_file.h"

namespace kernelgen::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* selftest_examples = R"(Examples:
  kernelgen selftest --device cuda:0     every sample, and kernels that go wrong and cheat in every way
  kernelgen selftest --device cuda:0 --part cheats
  kernelgen selftest --device cpu --project softmax

Parts: samples, every kernel of the samples is verified; faults, kernels that go wrong are verified;
  cheats, kernels that cheat are verified and timed, and none may end ok and be faster than an honest one.)";

const std::vector<std::string> part_names = {"samples", "faults", "cheats"};

struct SelftestOptions {
    std::string device = "cpu";
    std::string project;
    std::vector<std::string> parts, variants;
};

/// What one selftest tries.
struct Parts {
    std::vector<Project> samples;
    std::vector<std::pair<std::string, HostileProject>> hostile;  ///< by part
};

Validated<std::vector<Project>> sample_projects(const std::string& only) {
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
        Validated<Project> project = load_project(folder);
        if (!project) return std::unexpected(project.error());
        projects.push_back(std::move(*project));
    }
    return projects;
}

/// A sample that is named is all that is tried.
Validated<Parts> load_parts(const SelftestOptions& options) {
    Parts parts;
    for (const std::string& name : options.project.empty() ? options.parts : std::vector<std::string>{"samples"}) {
        if (name == "samples") {
            Validated<std::vector<Project>> samples = sample_projects(options.project);
            if (!samples) return std::unexpected(samples.error());
            parts.samples = std::move(*samples);
        } else {
            Validated<HostileProject> hostile = load_hostile(resource_folder() / "selftest" / name);
            if (!hostile) return std::unexpected(hostile.error());
            parts.hostile.emplace_back(name, std::move(*hostile));
        }
    }
    return parts;
}

/// The device where it is there; otherwise a message says why not.
std::optional<DeviceInfo> find_device(WorkerClient& worker, const std::string& device, Context& context) {
    const auto devices = worker.devices(context.interrupted.get_token());
    std::string reason = say("no device `{}` here; `kernelgen devices` lists them", device);
    if (!devices) reason = devices.error().message;
    for (const WorkerDevice& each : devices.value_or(std::vector<WorkerDevice>{})) {
        if (each.info.name == device && each.info.available) return each.info;
        if (each.info.name == device) reason = say("{}: {}", device, each.info.reason);
    }
    report(context, Error{reason}, exit_not_run);
    return std::nullopt;
}

void print_document(const std::string& device, const Selftest& selftest) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const SelftestResult& each : selftest.results()) list.push_back(to_json(each));
    print_json({{"device", device}, {"left_out", selftest.left_out()}, {"attempts", list}});
}

void print_count(const Selftest& selftest, std::size_t failed, const std::string& device) {
    const std::size_t tried = selftest.results().size();
    std::cout << std::format("{} of {} as expected\n", tried - failed, tried);
    if (selftest.left_out() == 0) return;
    std::cout << std::format("{} not tried: {} lacks their language; `kernelgen devices` says why\n",
                             selftest.left_out(), device);
}

int selftest_command(const SelftestOptions& options, Context& context) {
    const Validated<Parts> parts = load_parts(options);
    if (!parts) return report(context, parts.error());
    const InterruptGuard guard(context.interrupted);
    auto worker = context.start_worker();
    if (!worker) return report(context, worker.error(), exit_not_run);
    const std::optional<DeviceInfo> found = find_device(**worker, options.device, context);
    if (!found) return exit_not_run;
    Selftest selftest(*found, context, std::move(*worker));
    selftest.only(options.variants);
    for (const Project& project : parts->samples) selftest.run_sample(project);
    for (const auto& [part, hostile] : parts->hostile) selftest.run_hostile(part, hostile);
    const auto failed = static_cast<std::size_t>(
        std::ranges::count_if(selftest.results(), [](const SelftestResult& each) { return !each.as_expected(); }));
    if (context.json) print_document(options.device, selftest);
    else print_count(selftest, failed, options.device);
    if (context.interrupted.stop_requested()) return exit_cancelled;
    return failed == 0 ? exit_done : exit_not_verified;
}

}  // namespace

void add_selftest(CLI::App& app, Context& context) {
    auto options = std::make_shared<SelftestOptions>();
    options->parts = part_names;
    CLI::App* command =
        app.add_subcommand("selftest", "Verify every sample on a device, and that no bad kernel gets through");
    command->add_option("--device", options->device, "Where: cpu, cuda:0, …")->capture_default_str();
    command->add_option("--part", options->parts, "Only this part: samples, faults, cheats; repeatable")
        ->check(CLI::IsMember(part_names))
        ->allow_extra_args(false);
    command->add_option("--variant", options->variants, "Only variants of this name; repeatable")
        ->allow_extra_args(false);
    command->add_option("--project", options->project, "Only this sample, without the bad kernels");
    command->footer(selftest_examples);
    command->callback([=, &context] { context.exit_status = selftest_command(*options, context); });
}

}  // namespace kernelgen::cli
