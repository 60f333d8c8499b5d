// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/studio/fixtures.h"

#include <QDir>
#include <QFile>
#include <QTest>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/studio/charts/chart_view.h"
#include "core/project/project_file.h"
#include "core/python/inspection.h"
#include "core/round/history_line.h"
#include "core/tune/tuning_file.h"

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
    Checked<Project> project = load_project(folder.toStdString());
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
    Checked<Project> project = load_project(folder.toStdString());
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
    if (!wrong.empty()) qFatal("%s", to_string(wrong).c_str());
}

bool waitUntil(const std::function<bool()>& holds, int milliseconds) { return QTest::qWaitFor(holds, milliseconds); }

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

void writeTuning(const QString& folder, const Tuning& tuning) {
    Result<TuningFile> file = TuningFile::open(folder.toStdString());
    TuningHead head = tuning.head;
    if (!file || !file->begin(head)) qFatal("the tuning cannot be written");
    QFile lines(QString::fromStdString(tuning_path(folder.toStdString(), head.number)));
    if (!lines.open(QIODevice::Append)) qFatal("the tuning cannot be written");
    for (const Tried& each : tuning.tried) lines.write(QByteArray::fromStdString(to_json(each).dump()) + "\n");
    if (tuning.outcome) lines.write(QByteArray::fromStdString(to_json(*tuning.outcome).dump()) + "\n");
}

}  // namespace kernelgen::studio::testing
