// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <format>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "core/base/text.h"

namespace kernelgen::cli {

namespace {

std::string size_text(double bytes) {
    constexpr double kibibyte = 1 << 10, mebibyte = 1 << 20;
    return bytes < mebibyte ? std::format("{:.0f} KiB", bytes / kibibyte) : std::format("{:.0f} MiB", bytes / mebibyte);
}

void print_bandwidths(const char* heading, const std::vector<BandwidthCeiling>& ceilings) {
    if (ceilings.empty()) return;
    Table table{{heading, "copy", "read", "write"}, {}};
    for (const BandwidthCeiling& each : ceilings) {
        table.rows.push_back({size_text(each.bytes), value_text(metrics::bandwidth_ceiling_gbps, each.copy_gbps),
                              value_text(metrics::bandwidth_ceiling_gbps, each.read_gbps),
                              value_text(metrics::bandwidth_ceiling_gbps, each.write_gbps)});
    }
    print_table(std::cout, table);
}

void print_flops(const char* heading, const std::map<DType, double>& rates) {
    for (const auto& [dtype, gflops] : rates) {
        std::cout << std::format("FMA {} on {}: {}\n", to_string(dtype), heading,
                                 value_text(metrics::gflops_ceiling, gflops));
    }
}

void print_models(const std::vector<WorkerDevice>& devices) {
    Table table{{"builds only for", "device"}, {}};
    for (const WorkerDevice& device : devices) {
        if (device.info.builds_only) table.rows.push_back({device.info.name, device.info.description});
    }
    if (!table.rows.empty()) print_table(std::cout, table);
}

void print_device(const WorkerDevice& device) {
    const DeviceInfo& info = device.info;
    if (info.builds_only) return;
    std::cout << info.name << ": " << (info.available ? Said(info.description) : "unavailable: " + info.reason) << "\n";
    if (!info.available) return;
    const Environment& environment = info.environment;
    std::string libraries = environment.libraries;
    if (!info.python.empty()) libraries += (libraries.empty() ? "" : ", ") + info.python;
    const std::string units = environment.multiprocessors > 0
                                  ? std::format("{} multiprocessors", environment.multiprocessors)
                                  : std::format("{} threads", environment.threads);
    std::cout << std::format("  {}, {}, {:.1f} GiB, {}\n  clocks: {}\n  compiler: {}\n  libraries: {}\n  {}\n", units,
                             environment.caches, environment.memory_gib, environment.instruction_set,
                             environment.clocks, environment.compiler, libraries.empty() ? "none" : libraries,
                             environment.operating_system);
    for (const Said& note : info.notes) std::cout << "  note: " << note << "\n";
    if (!device.ceilings.measured()) {
        std::cout << "  ceilings: not measured; kernelgen devices --measure\n";
        return;
    }
    std::cout << "  ceilings, measured " << device.ceilings.measured_at
              << (device.ceilings.quiet ? "" : ", while other programs used the device: kept for ten minutes") << "\n";
    const bool is_gpu = environment.multiprocessors > 0;
    print_bandwidths(is_gpu ? "bytes moved" : "all threads", device.ceilings.all_threads);
    print_bandwidths("one thread", device.ceilings.one_thread);
    print_flops(is_gpu ? "all multiprocessors" : "all threads", device.ceilings.gflops_all_threads);
    print_flops("one thread", device.ceilings.gflops_one_thread);
    std::cout << std::format("an empty call: {}, each further program: {}\n",
                             value_text(metrics::launch_seconds, device.ceilings.launch_seconds),
                             value_text(metrics::launch_seconds, device.ceilings.program_seconds));
    for (const auto& [operands, gflops] : device.ceilings.tensor_gflops) {
        std::cout << std::format("tensor cores, {}: {:.1f} TFLOP/s\n", operands, gflops * 1e-3);
    }
}

int measure(std::vector<WorkerDevice>& devices, const std::string& only, WorkerClient& worker, Context& context) {
    int status = exit_done;
    for (WorkerDevice& device : devices) {
        if (!device.info.available || (!only.empty() && device.info.name != only)) continue;
        const Result<Ceilings> ceilings =
            worker.measure_ceilings(device.info.name, terminal_progress(), context.interrupted.get_token());
        clear_progress();
        if (ceilings) {
            device.ceilings = *ceilings;
        } else {
            complain(ceilings.error());
            status = exit_not_run;
        }
        if (context.interrupted.stop_requested()) return exit_cancelled;
    }
    return status;
}

constexpr const char* devices_examples = R"(Examples:
  kernelgen devices                                       what is here, and what can be built for
  kernelgen devices --measure --device cuda:0             its ceilings, again; nothing else should run on it meanwhile
  kernelgen devices --json --worker ssh box kernelgen worker)";

int devices_command(bool measures, const std::string& only, Context& context) {
    const InterruptGuard guard(context.interrupted);
    const auto worker = context.start_worker();
    if (!worker) return report(context, worker.error(), exit_not_run);
    Result<std::vector<WorkerDevice>> devices = (*worker)->devices(context.interrupted.get_token());
    if (!devices) return report(context, devices.error(), exit_not_run);
    if (const auto problem = unknown_device(*devices, only)) return report(context, *problem, exit_not_run);
    if (!only.empty()) {
        std::erase_if(*devices, [&](const WorkerDevice& device) { return device.info.name != only; });
    }
    const int status = measures ? measure(*devices, only, **worker, context) : exit_done;
    if (context.json) {
        nlohmann::ordered_json list = nlohmann::ordered_json::array();
        for (const WorkerDevice& device : *devices) {
            nlohmann::ordered_json entry = to_json(device.info);
            entry["ceilings"] = device.ceilings.measured() ? nlohmann::ordered_json(to_json(device.ceilings))
                                                           : nlohmann::ordered_json();
            list.push_back(entry);
        }
        print_json({{"devices", list}});
    } else {
        for (const WorkerDevice& device : *devices) print_device(device);
        print_models(*devices);
    }
    return status;
}

}  // namespace

std::optional<Error> unknown_device(const std::vector<WorkerDevice>& devices, const std::string& name) {
    std::vector<std::string> known;
    for (const WorkerDevice& each : devices) known.push_back(each.info.name);
    if (name.empty() || std::ranges::contains(known, name)) return std::nullopt;
    const std::string near = did_you_mean(name, known);
    return Error{"no device `" + name + "` here; " + (near.empty() ? "there are: " + join(known, ", ") : near)};
}

void add_devices(CLI::App& app, Context& context) {
    auto measures = std::make_shared<bool>(false);
    auto only = std::make_shared<std::string>();
    CLI::App* command = app.add_subcommand("devices", "Devices, their limits and measured ceilings");
    command->add_flag("--measure", *measures, "Measure the ceilings afresh");
    command->add_option("--device", *only, "Only this one");
    command->footer(devices_examples);
    command->callback([=, &context] { context.exit_status = devices_command(*measures, *only, context); });
}

}  // namespace kernelgen::cli
