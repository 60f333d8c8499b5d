// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/session/session.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <algorithm>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/text.h"
#include "app/studio/document/further_files.h"
#include "app/studio/document/literals.h"
#include "app/studio/session/restore_command.h"
#include "core/generate/generate.h"
#include "core/listing/built_code.h"
#include "core/report/phrases.h"

namespace kernelgen::studio {

namespace {

std::vector<std::string> toStrings(const QStringList& list) {
    std::vector<std::string> result;
    for (const QString& each : list) result.push_back(each.toStdString());
    return result;
}

/// The interpreter for what this program reads of Python files itself.
void usePython(const QString& program) {
    const QByteArray wanted = (program.isEmpty() ? defaultPython() : program).toLocal8Bit();
    if (wanted != qgetenv("KERNELGEN_PYTHON")) qputenv("KERNELGEN_PYTHON", wanted);
}

/// The sources as edited in place of those on disk. Errors: a file that cannot be taken.
Result<void> takeTextsOf(Implementation& implementation, const ProjectDocument& document) {
    const SourceFile* source = document.source(implementation.variant.source);
    if (source == nullptr) return {};
    implementation.text = source->text();
    Result<SourceFiles> files = document.furtherFiles().of(implementation.variant);
    if (!files) return std::unexpected(files.error());
    implementation.files = std::move(*files);
    return {};
}

}  // namespace

/// The sources as edited in place of those on disk. Errors: a file that cannot be taken.
Result<void> Session::takeTexts(RunPlan& plan) const {
    if (Result<void> taken = takeTextsOf(plan.candidate, document_); !taken || !plan.baseline) return taken;
    return takeTextsOf(*plan.baseline, document_);
}

QString defaultPython() {
    static const QString inherited = qEnvironmentVariable("KERNELGEN_PYTHON");
    return inherited.isEmpty() ? QStringLiteral("python3") : inherited;
}

Session::Session(Settings& settings, QObject* parent)
    : QObject(parent),
      settings_(settings),
      recovery_(document_, settings.dataFolder() + "/recovery"),
      disk_watch_(document_),
      device_(settings.device()) {
    connect(&document_, &ProjectDocument::opened, this, [this] {
        queue_.clear();
        selected_round_.reset();
        diagnoses_.show(std::nullopt);
        story_.clear();
        restored_.clear();
        variant_.clear();
        messages_.clear();
        rounds_.setFolder(document_.isOpen() ? document_.folder() : QString());
        comparisons_.setFolder(document_.isOpen() ? document_.folder() : QString());
        tuning_choices_.clear();  // before: a tuning that is read at once fills them
        tunings_.setFolder(document_.isOpen() ? document_.folder() : QString());
        chooseVariant();
    });
    connect(&document_, &ProjectDocument::changed, this, &Session::chooseVariant);
    reportFiles();
    connect(&engine_, &Engine::runFinished, this, &Session::takeOutcome);
    connect(&engine_, &Engine::buildFinished, this, &Session::takeBuild);
    connect(&engine_, &Engine::compared, &comparisons_, &Comparisons::take);
    connect(&engine_, &Engine::comparisonFinished, this, &Session::takeComparison);
    connect(&engine_, &Engine::ceilingsMeasured, this, [this](const QString& device, const QString& problem) {
        if (!problem.isEmpty()) log_.add(Severity::warning, device + ": " + inWords(problem.toStdString()));
    });
    connect(&engine_, &Engine::devicesFailed, this, [this](const QString& why) { log_.add(Severity::error, why); });
    connect(&rounds_, &RoundStore::failed, this, [this](const QString& why) { log_.add(Severity::error, why); });
    connect(&rounds_, &RoundStore::changed, this, [this] {
        for (const std::string& each : rounds_.history().warnings) log_.add(Severity::warning, toQt(each));
        const std::vector<Round>& all = rounds_.history().rounds;
        if (!selected_round_ && !all.empty()) selectRound(all.back().number);
    });
}

void Session::reportFiles() {
    connect(&recovery_, &Recovery::warned, this, [this](const QString& why) { log_.add(Severity::warning, why); });
    connect(&disk_watch_, &DiskWatch::reloaded, this, [this] {
        log_.add(Severity::information, tr("Another program changed the project on disk: reloaded; undo goes back"));
    });
}

void Session::applyWorkerSettings() {
    QStringList command = settings_.workerCommand();
    if (command.isEmpty()) command = {QCoreApplication::applicationDirPath() + "/kernelgen", "worker"};
    std::map<std::string, std::string> environment;
    if (!settings_.compiler().isEmpty()) environment["KERNELGEN_CXX"] = settings_.compiler().toStdString();
    if (!settings_.python().isEmpty()) environment["KERNELGEN_PYTHON"] = settings_.python().toStdString();
    usePython(settings_.python());
    engine_.setWorker(toStrings(command), environment);
    document_.literals().forget();
    emit pythonChanged();
}

Diagnostics Session::open(const QString& path) {
    Diagnostics wrong = document_.open(path);
    if (wrong.empty()) {
        settings_.addRecentProject(document_.folder());
        log_.add(Severity::information, tr("Opened %1").arg(document_.folder()));
    } else {
        log_.add(Severity::error, inWords(wrong));
    }
    return wrong;
}

const Variant* Session::variant() const {
    const Variant* chosen = document_.project().find_variant(variant_.toStdString());
    return chosen != nullptr && runs_on(*chosen, device_.toStdString()) ? chosen : nullptr;
}

/// Keeps the chosen variant while the project has it.
void Session::chooseVariant() {
    const QString before = variant_;
    if (variant() == nullptr) {
        const Variant* candidate = candidate_for(document_.project(), device_.toStdString());
        variant_ = candidate == nullptr ? QString() : toQt(candidate->name);
    }
    if (variant_ != before || before.isEmpty()) emit variantChanged();
}

void Session::setVariant(const QString& name) {
    if (name == variant_) return;
    variant_ = name;
    emit variantChanged();
}

void Session::setDevice(const QString& name) {
    if (name == device_) return;
    device_ = name;
    settings_.setDevice(name);
    chooseVariant();
    emit variantChanged();
}

const Ceilings& Session::ceilings() const {
    static const Ceilings unmeasured;
    const WorkerDevice* device = engine_.device(device_);
    return device == nullptr ? unmeasured : device->ceilings;
}

Sizes Session::deviceNumbers() const {
    const WorkerDevice* device = engine_.device(device_);
    return device == nullptr ? Sizes() : device->info.numbers;
}

void Session::selectRound(std::optional<int> number) {
    if (number == selected_round_) return;
    selected_round_ = number;
    emit selectedRoundChanged();
}

QString Session::whyNothingRuns(const QString& name) const {
    const WorkerDevice* device = engine_.device(name);
    return device != nullptr && !device->info.available ? inWords(device->info.reason) : QString();
}

QString Session::adviceToRun(const QString& advice) const {
    const QString obstacle = whyNothingRuns();
    return obstacle.isEmpty() ? advice : obstacle;
}

/// Why nothing at all can run on a device now.
Diagnostics Session::obstacles(const QString& device) const {
    if (!document_.isOpen()) return {{"", "", tr("no project is open").toStdString(), ""}};
    const QString why = whyNothingRuns(device);
    if (document_.diagnostics().empty() && !why.isEmpty()) return {{"", "", why.toStdString(), ""}};
    return document_.diagnostics();
}

Validated<RunPlan> Session::planOn(const QString& device) const {
    if (const Diagnostics wrong = obstacles(device); !wrong.empty()) return std::unexpected(wrong);
    RunOptions options;
    options.device = device.toStdString();
    options.variant = variant_.toStdString();
    options.timeout_seconds = settings_.callTimeoutSeconds();
    options.explain = true;
    Validated<RunPlan> plan = plan_run(document_.project(), options);
    if (!plan) return plan;
    if (const Result<void> taken = takeTexts(*plan); !taken) return std::unexpected(as_diagnostics(taken.error()));
    const auto restored = restored_.find(plan->candidate.variant.name);
    if (restored != restored_.end()) plan->options.parent = restored->second;
    return plan;
}

void Session::run(const QString& note) {
    if (engine_.isRunning()) return;
    Validated<RunPlan> made = plan();
    if (!made) return emit refused(inWords(made.error()));
    made->options.note = note.toStdString();
    log_.add(Severity::information, tr("Verify and bench: %1 on %2").arg(toQt(made->candidate.variant.name), device_));
    engine_.startRun(std::move(*made));
}

void Session::enqueue(const QString& note) {
    Validated<RunPlan> made = plan();
    if (!made) return emit refused(inWords(made.error()));
    QueuedRun run{.cases = made->cases, .note = note};
    run.base = std::make_shared<const RunPlan>(std::move(*made));
    log_.add(Severity::information, tr("Queued: %1 on %2").arg(toQt(run.base->candidate.variant.name), device_));
    std::vector<QueuedRun> runs;
    runs.push_back(std::move(run));
    queue_.add(std::move(runs));
}

void Session::verify() {
    if (engine_.isRunning()) return;
    Validated<RunPlan> made = plan();
    if (!made) return emit refused(inWords(made.error()));
    log_.add(Severity::information, tr("Verify: %1 on %2").arg(toQt(made->candidate.variant.name), device_));
    engine_.startVerification(std::move(*made));
}

void Session::compare() {
    if (engine_.isRunning()) return;
    if (const Diagnostics wrong = obstacles(); !wrong.empty()) return emit refused(inWords(wrong));
    RunOptions options;
    options.device = device_.toStdString();
    options.timeout_seconds = settings_.callTimeoutSeconds();
    Validated<ComparisonPlan> plan = plan_comparison(document_.project(), options);
    if (!plan) return emit refused(inWords(plan.error()));
    for (RunPlan& each : plan->runs) {
        if (const Result<void> taken = takeTexts(each); !taken) return emit refused(inWords(taken.error().message));
    }
    log_.add(Severity::information,
             tr("Compare %n variant(s) on %1", nullptr, static_cast<int>(plan->runs.size())).arg(device_));
    engine_.startComparison(std::move(*plan), document_.project().folder);
}

void Session::build() { requestBuild(true); }

void Session::buildInBackground() { requestBuild(false); }

/// Requests a build. On a CPU a Python source is not executed for it: it compiles to nothing there, so nothing is
/// learnt.
void Session::requestBuild(bool asked) {
    const Variant* chosen = variant();
    if (chosen == nullptr || chosen->language == Language::library || !document_.diagnostics().empty()) return;
    BuildRequest request{.definition = document_.project().definition,
                         .implementation = {*chosen, {}, configuration_of(*chosen), {}, deviceNumbers()},
                         .device = device_.toStdString(),
                         .texts = {},
                         .trial = {},
                         .timeout_seconds = settings_.callTimeoutSeconds()};
    if (const Result<void> taken = takeTextsOf(request.implementation, document_); !taken) {
        BuildResult failed;
        failed.status = Status::build_failed;
        failed.reason = taken.error().message;
        return messages_.take(chosen->source, failed);
    }
    if (wants_texts_) request.texts = texts_of(code_kinds_of(chosen->language));
    if (!document_.project().cases.empty()) {
        const Case& first = document_.project().cases.front();
        request.dtype = first.dtype;
        const bool may_execute = asked || is_unedited(*chosen, request.implementation.text);
        if (may_execute && device_.startsWith(QLatin1String("cuda"))) request.trial = first.sizes;
    }
    engine_.requestBuild(std::move(request));
}

Diagnostics Session::restoreRound(int number) {
    const std::shared_ptr<const RoundDetail> detail = rounds_.detail(number);
    if (!detail) return {{"", "", tr("round %1 cannot be read").arg(number).toStdString(), ""}};
    const Variant& variant = detail->candidate.variant;
    if (document_.project().find_variant(variant.name) == nullptr) {
        return {{"", "", tr("the project has no variant `%1` any more").arg(toQt(variant.name)).toStdString(), ""}};
    }
    document_.undoStack().beginMacro(tr("restore round %1").arg(number));
    document_.undoStack().push(new RestoreCommand(*this, variant.name, number));
    document_.edit(tr("restore round %1").arg(number), [&](Project& project) {
        for (Variant& each : project.variants) {
            if (each.name != variant.name) continue;
            each = variant;
            for (Tunable& tunable : each.tunables) {
                const auto chosen = detail->candidate.configuration.find(tunable.name);
                if (chosen != detail->candidate.configuration.end()) tunable.value = chosen->second;
            }
        }
    });
    std::map<std::string, std::string> texts = detail->candidate.files;
    if (!variant.source.empty()) texts[variant.source] = detail->candidate.text;
    document_.setTexts(texts);
    document_.undoStack().endMacro();
    return {};
}

void Session::takeBuild(const BuildOutcome& outcome) {
    const Variant* built = document_.project().find_variant(outcome.variant);
    if (built != nullptr) messages_.take(built->source, outcome.result, document_.filesOf(*built));
}

void Session::takeComparison(const ComparisonOutcome& outcome) {
    if (outcome.comparison) comparisons_.take(outcome.comparison);
    const auto count = outcome.comparison ? outcome.comparison->variants.size() : 0;
    log_.add(outcome.problem.isEmpty() ? Severity::success : Severity::error,
             (tr("Compared %1 of %2 variants.").arg(count).arg(outcome.wanted) + ' ' + outcome.problem).trimmed());
}

void Session::takeOutcome(const RunOutcome& outcome) {
    const Round& round = outcome.detail.round;
    // A queued run is of the sources as they were.
    if (!queue_.isRunning())
        messages_.takeRun(round.status == Status::build_failed ? round.reason.text() : std::string());
    const auto severity = round.status == Status::ok && outcome.problem.isEmpty() ? Severity::success : Severity::error;
    if (!outcome.problem.isEmpty()) log_.add(Severity::error, outcome.problem);
    if (outcome.verify_only && outcome.problem.isEmpty()) {
        log_.add(severity, tr("Verification after %n check(s) in %1 s: %2", nullptr, outcome.detail.verification.checks)
                               .arg(outcome.detail.verification.seconds, 0, 'f', 1)
                               .arg(inWords(round.status, round.reason)));
    }
    rules_.take(outcome);
    for (const Said& each : outcome.detail.verification.warnings) log_.add(Severity::warning, inWords(each));
    for (const BenchResult& timing : outcome.detail.timings) {
        for (const Said& each : timing.warnings) {
            log_.add(Severity::warning, inWords(timing.binding.name + ": " + each));
        }
    }
    if (const std::string& printed = outcome.detail.verification.printed; !printed.empty())
        log_.addOutput(toQt(printed));
    if (!outcome.recorded) return;
    const auto restored = restored_.find(round.variant);
    if (restored != restored_.end() && round.parent == restored->second) restored_.erase(restored);
    log_.add(severity, tr("Round %1: %2").arg(round.number).arg(inWords(round.status, round.reason)));
    rounds_.reload();
    if (!queue_.isRunning()) selectRound(round.number);  // else somebody may be reading another one meanwhile
}

}  // namespace kernelgen::studio
