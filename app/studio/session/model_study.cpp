// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/session/model_study.h"

#include <QFileInfo>
#include <QtConcurrentRun>
#include <algorithm>
#include <utility>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/text.h"

namespace kernelgen::studio {

namespace {

Validated<QString> writePart(const nlohmann::json& told, const QString& model, const QString& parent) {
    Validated<ImportedSet> set = project_of_part(told, model.toStdString(), {});
    if (!set) return std::unexpected(set.error());
    const QString folder = freeFolder(parent, toQt(set->project.definition.name));
    if (const Result<void> written = write_imported(*set, folder.toStdString()); !written)
        return std::unexpected(as_diagnostics(written.error()));
    return folder;
}

Result<std::vector<MeasuredPart>> loadParts(const QStringList& folders, const std::string& device) {
    std::vector<MeasuredPart> parts;
    for (const QString& each : folders) {
        Result<MeasuredPart> part = load_measured_part(each.toStdString(), device);
        if (!part) return std::unexpected(part.error());
        parts.push_back(std::move(*part));
    }
    return parts;
}

}  // namespace

ModelStudy::ModelStudy(Engine& engine, QObject* parent) : QObject(parent), engine_(engine) {
    connect(&engine_, &Engine::modelAnswered, this, &ModelStudy::takeAnswer);
    connect(&engine_, &Engine::devicesChanged, this, &ModelStudy::followCeilings);
    connect(&reading_, &QFutureWatcherBase::finished, this, &ModelStudy::takeRead);
    connect(&writing_, &QFutureWatcherBase::finished, this, &ModelStudy::takeWritten);
    connect(&loading_, &QFutureWatcherBase::finished, this, &ModelStudy::takeParts);
}

void ModelStudy::tell(const QString& problem, bool asksForPython) {
    problem_ = problem;
    asks_for_python_ = asksForPython;
    emit changed();
}

void ModelStudy::read(const QString& file) {
    file_ = file;
    model_.reset();
    measured_.reset();
    report_.reset();
    in_place_.clear();
    reads_ = true;
    reading_.setFuture(QtConcurrent::run(
        [path = file.toStdString()] { return std::make_shared<Validated<ModelFile>>(read_model_file(path)); }));
    tell({});
}

void ModelStudy::takeRead() {
    const Reading read = reading_.result();
    reads_ = false;
    if (!*read) return tell(inWords(read->error()), studio::asksForPython(read->error()));
    model_ = std::move(**read);
    emit changed();
}

QStringList ModelStudy::cases() const {
    QStringList names;
    for (std::size_t i = 0; model_ && i < model_->cases.size(); ++i) names << toQt(model_->cases[i].name);
    return names;
}

void ModelStudy::measure(const QString& caseName, const QString& device, double limitSeconds) {
    const auto place = cases().indexOf(caseName);
    if (place < 0) return;
    ask({.definition = model_->definition,
         .binding = model_->cases[static_cast<std::size_t>(place)],
         .device = device.toStdString(),
         .timeout_seconds = limitSeconds,
         .part = {}});
}

void ModelStudy::makeProject(const CallRange& calls, const QString& parent) {
    if (!measured_) return;
    parent_of_projects_ = parent;
    ModelRequest request = *measured_;
    request.part = calls;
    ask(std::move(request));
}

void ModelStudy::ask(ModelRequest request) {
    if (engine_.isRunning() || isAsking()) return;
    asks_ = true;
    tell({});
    engine_.askModel(std::move(request));
}

/// An answer about another file than the present one is dropped.
void ModelStudy::takeAnswer(const ModelOutcome& outcome) {
    const ModelAnswer& answer = outcome.answer;
    asks_ = false;
    if (!model_ || model_->definition.text != outcome.request.definition.text) return emit changed();
    if (answer.status != Status::ok)
        return tell(inWords(answer.status, answer.reason), studio::asksForPython(answer.reason));
    const QString name = QFileInfo(file_).fileName();
    if (outcome.request.part) {
        writes_ = true;
        writing_.setFuture(QtConcurrent::run([told = answer.told, name, parent = parent_of_projects_] {
            return std::make_shared<Validated<QString>>(writePart(told, name, parent));
        }));
        return emit changed();
    }
    const WorkerDevice* device = engine_.device(toQt(outcome.request.device));
    Result<ModelReport> report =
        model_report(file_.toStdString(), outcome.request, answer, device == nullptr ? Ceilings() : device->ceilings);
    if (!report) return tell(inWords(report.error().message));
    measured_ = outcome.request;
    take(std::move(*report));
}

void ModelStudy::take(ModelReport report) {
    report_ = std::make_shared<const ModelReport>(std::move(report));
    in_place_.clear();
    tell({});
}

void ModelStudy::takeWritten() {
    const Written written = writing_.result();
    writes_ = false;
    if (!*written) return tell(inWords(written->error()));
    emit changed();
    emit projectMade(**written);
}

void ModelStudy::putInPlace(const QString& project) {
    if (!report_) return;
    asked_project_ = project;
    asked_file_ = file_;
    if (!in_place_.contains(project)) in_place_ << project;
    loading_.setFuture(QtConcurrent::run([folders = in_place_, device = report_->device] {
        return std::make_shared<Result<std::vector<MeasuredPart>>>(loadParts(folders, device));
    }));
}

/// Puts projects in the place of their calls. If that fails, the project that was chosen last is the cause, and is
/// taken out again. The result is dropped where another model was chosen meanwhile.
void ModelStudy::takeParts() {
    const Parts parts = loading_.result();
    if (!report_ || asked_file_ != file_) return;
    ModelReport report = *report_;
    const Result<void> replaced = *parts ? replace_calls(report, **parts) : std::unexpected(parts->error());
    if (replaced) report_ = std::make_shared<const ModelReport>(std::move(report));
    else in_place_.removeAll(asked_project_);
    tell(replaced ? QString() : inWords(replaced.error().message));
}

void ModelStudy::takeOutOfPlace() {
    if (!report_) return;
    ModelReport report = *report_;
    report.replacements.clear();
    take(std::move(report));
}

/// Adds ceilings that were measured later to the report, which gives it its gains.
void ModelStudy::followCeilings() {
    const WorkerDevice* device = report_ ? engine_.device(toQt(report_->device)) : nullptr;
    if (device == nullptr || report_->ceilings.measured() || !device->ceilings.measured()) return;
    ModelReport report = *report_;
    report.ceilings = device->ceilings;
    report_ = std::make_shared<const ModelReport>(std::move(report));
    emit changed();
}

}  // namespace kernelgen::studio
