// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/studio/fixtures.h"

#include <QDir>
#include <QFile>
#include <QTest>
#include <array>
#include <cmath>
#include <format>
#include <nlohmann/json.hpp>

#include "app/studio/charts/chart_view.h"
#include "core/base/file.h"
#include "core/gate/gate_history.h"
#include "core/gate/gate_store.h"
#include "core/project/project_file.h"
#include "core/project/source_files.h"
#include "core/python/inspection.h"
#include "core/round/history_line.h"
#include "core/tune/tuning_file.h"
#include "core/tuning/tune.h"

namespace kernelgen::studio::testing {

namespace {

void copyFiles(const QString& from, const QString& to) {
    QDir().mkpath(to);
    for (const QString& name : QDir(from).entryList({"project.json", "*.cpp", "*.cu", "*.py"}, QDir::Files)) {
        QFile::copy(from + "/" + name, to + "/" + name);
        QFile::setPermissions(to + "/" + name, QFile::ReadOwner | QFile::WriteOwner);
    }
}

void makeSmall(const QString& folder) {
    Validated<Project> project = load_project(folder.toStdString());
    project->cases = {{.name = "small", .dtype = DType::f32, .sizes = {}}};
    for (const std::string& symbol : project->definition.symbols) project->cases[0].sizes[symbol] = 96;
    project->performance.budget_seconds = 0.2;
    project->performance.baseline = {{"", "naive"}};
    if (!save_project(*project)) qFatal("the project cannot be saved");
}

constexpr const char* triton_text = R"(import torch
import triton
import triton.language as tl


@triton.jit
def bias_add_kernel(x, bias, out, P, D, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    pass


def bias_add(x: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
    assert x.dim() == 2 and bias.dim() == 1
    BLOCK_M = 32
    BLOCK_N = 64
    P, D = x.shape
    out = torch.empty_like(x)
    grid = (triton.cdiv(P, BLOCK_M), triton.cdiv(D, BLOCK_N))
    bias_add_kernel[grid](x, bias, out, P, D, BLOCK_M=BLOCK_M, BLOCK_N=BLOCK_N, num_warps=4)
    return out
)";

constexpr const char* torch_text = R"(import torch


def bias_add(x: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
    return x + bias
)";

void write(const QString& file, const char* text) {
    QFile target(file);
    if (!target.open(QIODevice::WriteOnly) || target.write(text) < 0) qFatal("%s", qPrintable(file));
}

}  // namespace

void addPythonVariants(const QString& folder) {
    constexpr const char* imports =
        "from bias_add_triton import bias_add\nfrom bias_add_baseline import bias_add as baseline\n";
    write(folder + "/bias_add_triton.py", triton_text);
    write(folder + "/bias_add_baseline.py", torch_text);
    write(folder + "/bias_add_accuracy.py", imports);
    write(folder + "/bias_add_performance.py", imports);
    Validated<Project> project = load_project(folder.toStdString());
    std::erase_if(project->variants, [](const Variant& each) { return is_python(each.language); });
    Variant& triton = project->variants.emplace_back();
    triton.name = "triton";
    triton.language = Language::triton;
    triton.source = "bias_add_triton.py";
    triton.entry = "bias_add";
    triton.tunables = {{.name = "BLOCK_M", .values = {16, 32, 64}, .value = 32},
                       {.name = "BLOCK_N", .values = {32, 64, 128}, .value = 64},
                       {.name = "num_warps", .values = {2, 4, 8}, .value = 4}};
    triton.companions = {{.kind = "accuracy", .source = "bias_add_accuracy.py", .generated = {}},
                         {.kind = "performance", .source = "bias_add_performance.py", .generated = {}}};
    Variant& torch = project->variants.emplace_back();
    torch.name = "torch";
    torch.language = Language::torch;
    torch.source = "bias_add_baseline.py";
    torch.entry = "bias_add";
    if (!save_project(*project)) qFatal("the project cannot be saved");
}

bool isNight() { return qEnvironmentVariableIsSet("KERNELGEN_NIGHT"); }

bool hasPython() { return inspect_python({}).has_value(); }

Studio::Studio(const QString& sample) {
    settings_ = std::make_unique<Settings>(folder_.path() + "/settings.ini");
    settings_->setLanguage("en");
    settings_->setWorkerCommand({KERNELGEN_PROGRAM, "worker"});
    if (!sample.isEmpty()) {
        copyFiles(QString(KERNELGEN_SOURCE_DIR) + "/projects/" + sample, folder());
        makeSmall(folder());
    }
    session_ = std::make_unique<Session>(*settings_);
}

void Studio::open() {
    session_->applyWorkerSettings();
    const Diagnostics wrong = session_->open(folder());
    if (!wrong.empty()) qFatal("%s", to_string(wrong).text().c_str());
}

bool waitUntil(const std::function<bool()>& holds, int milliseconds) {
    constexpr int step = 100;  // a machine that stands still for minutes counts as one step
    for (int waited = 0; waited < milliseconds; waited += step) {
        if (QTest::qWaitFor(holds, step)) return true;
    }
    return holds();
}

void expose(ChartView& view) {
    view.resize(700, 400);
    view.show();
    if (!QTest::qWaitForWindowExposed(&view)) qFatal("the chart does not appear");
    view.plot().replot();
}

Round exampleRound(int number, Status status) {
    Round round;
    round.number = number;
    if (number > 0) round.parent = number - 1;
    round.time = "2026-01-02T03:04:05Z";
    round.device = "cpu";
    round.variant = "host";
    round.baseline = "library";
    round.configuration = {{"BLOCK_M", 1 << (number % 7)}, {"BLOCK_N", 64 << (number % 4)}};
    round.change = number == 0 ? ChangeKind::first : ChangeKind::tunables;
    round.status = status;
    round.environment = "0123456789abcdef";
    round.note = "round " + std::to_string(number);
    round.case_count = 1;
    RoundCase& only = round.cases.emplace_back();
    only.binding = {.name = "4096x4096 f32", .dtype = DType::f32, .sizes = {{"P", 4096}, {"D", 4096}}};
    only.status = status;
    if (status != Status::ok) {
        round.reason = "it did not work";
        return round;
    }
    only.speedup = 1 + 0.5 * std::sin(number * 0.37);
    only.speedup_lower = only.speedup * 0.99;
    only.speedup_upper = only.speedup * 1.01;
    only.seconds = 2e-3 / only.speedup;
    only.baseline_seconds = 2e-3;
    only.rsd = 0.01;
    only.roofline = {.intensity = 0.125,
                     .bandwidth_gbps = 60 * only.speedup,
                     .gflops = 7.5 * only.speedup,
                     .bandwidth_ceiling_gbps = 100,
                     .gflops_ceiling = 400,
                     .attainable_gbps = 100,
                     .fraction = 0.6 * only.speedup,
                     .memory_bound = true,
                     .implausible = false,
                     .has_ceilings = true};
    round.target_reached = only.speedup_lower >= 1;
    return round;
}

History exampleHistory(int count) {
    History history;
    for (int number = 0; number < count; ++number) {
        history.rounds.push_back(exampleRound(number, number % 10 == 7 ? Status::mismatch : Status::ok));
    }
    if (count > 0) history.current["host"] = count - 1;
    return history;
}

std::shared_ptr<const History> sharedHistory(int rounds) {
    return std::make_shared<const History>(exampleHistory(rounds));
}

void writeHistory(const QString& folder, int count) { writeHistory(folder, exampleHistory(count)); }

void writeHistory(const QString& folder, const History& history) {
    QFile file(folder + "/history.jsonl");
    if (!file.open(QIODevice::WriteOnly)) qFatal("history.jsonl cannot be written");
    for (const Round& round : history.rounds) {
        file.write(QByteArray::fromStdString(history_line(round)) + "\n");
    }
}

namespace {

Configuration exampleConfiguration(const std::vector<Tunable>& parameters, std::size_t index) {
    Configuration configuration;
    for (const Tunable& each : parameters) {
        configuration[each.name] = each.values[index % each.values.size()];
        index /= each.values.size();
    }
    return configuration;
}

double exampleSeconds(const Configuration& configuration) {
    const auto away = [&](const char* name, double best) {
        return std::abs(std::log2(static_cast<double>(configuration.at(name)) / best));
    };
    return 1e-3 * (1 + 0.3 * away("BLOCK_N", 1024) + 0.1 * away("BLOCK_M", 8) + 0.02 * away("UNROLL", 4) +
                   0.001 * static_cast<double>(configuration.at("PREFETCH")));
}

}  // namespace

ModelReport exampleModel(bool with_ceilings) {
    const auto row = [](std::vector<int> calls, const std::string& operation, const std::string& module,
                        std::vector<std::string> inputs, ModelCounts counts, double seconds) {
        return ModelRow{.calls = std::move(calls),
                        .operation = operation,
                        .signature = operation + " of " + module,
                        .modules = {module},
                        .inputs = std::move(inputs),
                        .outputs = {"f32[8,64,48,48]"},
                        .counts = counts,
                        .seconds = seconds,
                        .runs = 25};
    };
    const auto counts = [](std::optional<double> flops, double read, double written, bool contraction) {
        return ModelCounts{flops, read, written, DType::f32, contraction};
    };
    ModelReport report{.file = "/models/net.py", .case_name = "default", .device = "cpu"};
    ModelProfile& profile = report.profile;
    profile.seconds = 26.1e-3;
    profile.runs = 25;
    profile.views = 9;
    profile.rows = {
        row({1}, "aten.convolution", "layer1.conv", {"f32[8,3,48,48]", "f32[32,3,3,3]"},
            counts(31.9e6, 225e3, 2.36e6, true), 1.32e-3),
        row({2, 5}, "aten.native_batch_norm", "layer1.norm", {"f32[8,64,48,48]", "f32[64]"},
            counts({}, 2.36e6, 2.36e6, false), 2.9e-3),
        row({3, 6}, "aten.relu_", "layer1.act", {"f32[8,64,48,48]"}, counts(590e3, 2.36e6, 2.36e6, false), 0.74e-3),
        row({4}, "aten.convolution", "layer2.conv", {"f32[8,32,48,48]", "f32[64,32,3,3]"},
            counts(680e6, 2.43e6, 4.7e6, true), 9.6e-3),
        row({7}, "aten.mean.dim", "", {"f32[8,64,48,48]"}, counts(1.2e6, 4.7e6, 2e3, false), 1.1e-3),
        row({8}, "aten.addmm", "head", {"f32[100]", "f32[8,64]", "f32[64,100]{1,64}"}, counts(102e3, 28e3, 3.2e3, true),
            23.5e-6),
        row({9, 10}, "aten.tanh", "", {"f32[8,100]"}, counts(800, 3.2e3, 3.2e3, false), 2.8e-6)};
    profile.groups = {{.places = {4},
                       .length = 4,
                       .operations = {"aten.convolution", "aten.native_batch_norm", "aten.relu_", "aten.mean.dim"},
                       .counts = counts(681e6, 2.43e6, 2e3, true)},
                      {.places = {1},
                       .length = 3,
                       .operations = {"aten.convolution", "aten.native_batch_norm", "aten.relu_"},
                       .counts = counts(32.5e6, 225e3, 2.36e6, true)}};
    if (!with_ceilings) return report;
    report.ceilings.all_threads = {{.bytes = 1e6, .copy_gbps = 40, .read_gbps = 60, .write_gbps = 30},
                                   {.bytes = 1e8, .copy_gbps = 14, .read_gbps = 20, .write_gbps = 9}};
    report.ceilings.gflops_all_threads = {{DType::f32, 180}};
    return report;
}

Tuning exampleTuning(int count) {
    Tuning tuning;
    TuningHead& head = tuning.head;
    head.number = head.first = 1;
    head.time = "2026-01-02T03:04:05Z";
    head.variant = "host";
    head.device = "cpu";
    head.binding = {.name = "4096x4096 f32", .dtype = DType::f32, .sizes = {{"P", 4096}, {"D", 4096}}};
    head.cases = {head.binding};
    head.parameters = {{"BLOCK_M", {1, 2, 4, 8, 16, 32, 64}, 16},
                       {"BLOCK_N", {64, 128, 256, 512, 1024, 2048, 4096}, 256},
                       {"UNROLL", {1, 2, 4, 8}, 1},
                       {"PREFETCH", {0, 8, 16, 32}, 0},
                       {"STREAM", {0, 1}, 0},
                       {"ROWS", {1, 2, 4, 8, 16, 32, 64, 128}, 1}};
    head.configurations = 12'544;
    head.pruned = {{"restriction `BLOCK_M * BLOCK_N <= 65536`", 384}};
    head.incumbent = exampleConfiguration(head.parameters, 0);
    head.strategy = "model";
    head.objective = "time";
    head.budget_seconds = 300;
    const double incumbent = exampleSeconds(head.incumbent);
    for (int i = 0; i < count; ++i) {
        const auto index = static_cast<std::size_t>(i) * 4'999 % 12'544;  // each once
        Tried& tried = tuning.tried.emplace_back();
        tried.configuration = exampleConfiguration(head.parameters, index);
        tried.build_seconds = 0.8;
        tried.elapsed_seconds = 0.5 * (i + 1);
        if (i % 11 == 10) {
            tried.status = i % 22 == 10 ? Status::mismatch : Status::build_failed;
            tried.reason = "it did not work";
            continue;
        }
        tried.objective = tried.seconds = exampleSeconds(tried.configuration);
        tried.ratio = tried.seconds / incumbent;
        tried.left = tried.ratio > 0.8;
        tried.memory_bytes = 4 * static_cast<double>(tried.configuration.at("BLOCK_N"));
        tried.resources["registers"] = 32;
    }
    return tuning;
}

void writeRound(const QString& folder) {
    const std::string path = folder.toStdString();
    const Validated<Project> project = load_project(path);
    RoundDetail detail;
    detail.round = exampleRound(0);
    detail.definition = project->definition;
    detail.candidate.variant = *project->find_variant("host");
    detail.candidate.text = *read_file(path + "/" + detail.candidate.variant.source);
    detail.candidate.configuration = detail.round.configuration;
    detail.ceilings.device = detail.round.device;
    detail.ceilings.all_threads =
        detail.ceilings.one_thread = {{.bytes = 1e6, .copy_gbps = 40, .read_gbps = 60, .write_gbps = 30},
                                      {.bytes = 1e8, .copy_gbps = 14, .read_gbps = 20, .write_gbps = 9}};
    detail.ceilings.gflops_all_threads = detail.ceilings.gflops_one_thread = {{DType::f32, 180}};
    for (const RoundCase& each : detail.round.cases) {
        BenchResult& timing = detail.timings.emplace_back();
        timing.binding = each.binding;
        timing.speedup = {
            .median = each.speedup, .lower = each.speedup_lower, .upper = each.speedup_upper, .pairs = 20};
    }
    if (!record_round(path, detail)) qFatal("the round cannot be recorded");
}

void writeChecks(const QString& folder, int count) {
    const std::string path = folder.toStdString();
    const Result<RoundDetail> detail = load_round_detail(path, 0);
    if (!detail || !store_baseline(path, *detail)) qFatal("round 0 cannot be stored");
    for (int i = 0; i < count; ++i) {
        GateCheck check;
        check.project = detail->definition.name;
        check.variant = detail->round.variant;
        check.device = detail->round.device;
        check.time = std::format("2026-01-{:02}T{:02}:00:00Z", 1 + i / 24, i % 24);
        check.environment = i < count / 2 ? "before" : "after";
        for (std::size_t place = 0; place < detail->round.cases.size(); ++place) {
            GatedCase& each = check.cases.emplace_back();
            each.binding = detail->round.cases[place].binding;
            const bool is_slow = i % 9 == 8 && place == 0;
            const double ratio = (is_slow ? 0.955 : 1) + 0.004 * ((i * 7 + static_cast<int>(place) * 5) % 5 - 2);
            each.ratio = {ratio, ratio - 0.006, ratio + 0.005};
            each.verdict = is_slow ? Verdict::slower : Verdict::same;
            each.runs = is_slow ? 2 : 1;
        }
        if (!append_check(path, check)) qFatal("a check cannot be written");
    }
}

void writeTuning(const QString& folder, const Tuning& tuning) {
    Result<TuningFile> file = TuningFile::open(folder.toStdString());
    TuningHead head = tuning.head;
    if (!file || !file->begin(head)) qFatal("the tuning cannot be written");
    QFile lines(QString::fromStdString(tuning_path(folder.toStdString(), head.number)));
    if (!lines.open(QIODevice::Append)) qFatal("the tuning cannot be written");
    for (const Tried& each : tuning.tried) lines.write(QByteArray::fromStdString(to_json(each).dump()) + "\n");
    if (tuning.outcome) lines.write(QByteArray::fromStdString(to_json(*tuning.outcome).dump()) + "\n");
}

namespace {

Tuning tuningOfCase(const Project& project, std::size_t number) {
    const Variant& variant = *project.find_variant("host");
    Tuning tuning = exampleTuning(0);
    TuningHead& head = tuning.head;
    head.number = static_cast<int>(number) + 1;
    head.binding = project.cases[number];
    head.cases = project.cases;
    head.parameters = variant.tunables;
    head.incumbent = configuration_of(variant);
    head.source_hash = hash_of_sources(*read_implementation(project, variant));
    head.setup_hash = setup_hash(project, head.variant);
    for (std::size_t i = 0; i < 3; ++i) {
        Tried& tried = tuning.tried.emplace_back();
        tried.configuration = head.incumbent;
        tried.configuration["BLOCK_N"] =
            std::array{head.incumbent.at("BLOCK_N"), std::int64_t{64}, std::int64_t{128}}[i];
        tried.objective = tried.seconds = i == 0 ? 1.5 : i == number + 1 ? 1 : 1.25;
        tried.ratio = tried.seconds / 1.5;
    }
    tuning.outcome =
        TuningOutcome{.kind = TuningOutcome::Kind::winner, .configuration = tuning.tried[number + 1].configuration};
    return tuning;
}

}  // namespace

void writeTuningsOfTwoCases(const QString& folder) {
    Validated<Project> project = load_project(folder.toStdString());
    project->cases = {project->cases[0], project->cases[0]};
    project->cases[0].name = "narrow";
    project->cases[1].name = "wide";
    project->cases[1].sizes["D"] = 384;
    if (!save_project(*project)) qFatal("the project cannot be saved");
    for (std::size_t i = 0; i < project->cases.size(); ++i) writeTuning(folder, tuningOfCase(*project, i));
}

}  // namespace kernelgen::studio::testing
