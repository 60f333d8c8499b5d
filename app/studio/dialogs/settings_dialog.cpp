// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/dialogs/settings_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QGroupBox>
#include <QLineEdit>
#include <QProcess>
#include <QVBoxLayout>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/metric_words.h"
#include "app/studio/application/text.h"
#include "app/studio/dialogs/program_field.h"
#include "app/studio/theme/theme.h"
#include "core/diagnose/goals.h"
#include "core/diagnose/rule.h"

namespace kernelgen::studio {

namespace {

QDoubleSpinBox* secondsBox(double least, double most, double value) {
    auto* box = new QDoubleSpinBox;
    box->setRange(least, most);
    box->setDecimals(1);
    box->setSuffix(QStringLiteral(" s"));
    box->setValue(value);
    return box;
}

/// The factor from a goal to the number in its field: 100 where the metric is shown in percent.
double unitOfGoal(const Metric& metric) { return metric.form == Form::share ? 100 : 1; }

QDoubleSpinBox* goalBox(const Metric& metric, double goal) {
    auto* box = new QDoubleSpinBox;
    const bool is_percent = metric.form == Form::share;
    box->setRange(0, is_percent ? 100 : 1e12);
    box->setDecimals(is_percent ? 1 : 3);
    box->setSuffix(is_percent ? QStringLiteral(" %") : QString());
    box->setValue(goal * unitOfGoal(metric));
    return box;
}

/// Has Python print its version and those of what variants need, without importing them, which takes seconds.
constexpr const char* python_question = R"(
import importlib.metadata as metadata, platform
def version(package):
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "missing"
print("Python", platform.python_version() + ",", "PyTorch", version("torch") + ",", "Triton", version("triton"))
)";

void addRow(QFormLayout* form, const QString& name, QWidget* field, const QString& tip) {
    form->addRow(name, field);
    field->setAccessibleName(name);
    field->setToolTip(tip);
}

}  // namespace

SettingsDialog::SettingsDialog(Session& session, QWidget* parent)
    : QDialog(parent),
      session_(session),
      device_(new QComboBox),
      compiler_(new ProgramField(session.settings().compiler(), "g++", tr("the system's g++"))),
      python_(new ProgramField(session.settings().python(), defaultPython(), defaultPython())),
      worker_(new QLineEdit(session.settings().workerCommand().join(' '))),
      timeout_(secondsBox(1, 3600, session.settings().callTimeoutSeconds())),
      budget_(secondsBox(0.1, 3600, session.settings().newBudgetSeconds())),
      caches_(new QComboBox),
      theme_(new QComboBox),
      language_(new QComboBox) {
    setWindowTitle(tr("Settings"));
    auto* layout = new QVBoxLayout(this);
    makeRunGroup();
    makeNewProjectGroup();
    makeGoalsGroup();
    makeAppearanceGroup();
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    connect(buttons, &QDialogButtonBox::accepted, this, &SettingsDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &SettingsDialog::reject);
    layout->addWidget(buttons);
    setMinimumWidth(520);
}

void SettingsDialog::makeRunGroup() {
    auto* group = new QGroupBox(tr("Running"));
    auto* form = new QFormLayout(group);
    for (const WorkerDevice& each : session_.engine().devices()) device_->addItem(toQt(each.info.name));
    if (device_->findText(session_.device()) < 0) device_->addItem(session_.device());
    device_->setCurrentText(session_.device());
    addRow(form, tr("Device"), device_, tr("Where variants run"));
    addRow(form, tr("C++ compiler"), compiler_, tr("A program on PATH or a path; empty for the system's"));
    addRow(form, tr("Python"), python_,
           tr("The interpreter that has PyTorch and Triton, such as a virtual environment's; empty for the system's"));
    compiler_->edit().setAccessibleName(tr("C++ compiler"));
    python_->edit().setAccessibleName(tr("Python"));
    python_->edit().setObjectName("python");
    python_->setQuestion({"-c", python_question});
    worker_->setPlaceholderText(tr("on this machine"));
    addRow(form, tr("Worker command"), worker_,
           tr("Reaches the worker elsewhere, such as: ssh box kernelgen worker; empty for this machine"));
    addRow(form, tr("Time limit of a call"), timeout_, tr("A kernel that takes longer is killed: timed_out"));
    layout()->addWidget(group);
}

void SettingsDialog::showPython() { python_->edit().setFocus(Qt::OtherFocusReason); }

void SettingsDialog::makeNewProjectGroup() {
    auto* group = new QGroupBox(tr("New projects begin with"));
    auto* form = new QFormLayout(group);
    caches_->addItem(tr("flushed before each sample"), false);
    caches_->addItem(tr("warm"), true);
    caches_->setCurrentIndex(session_.settings().newWarmCaches() ? 1 : 0);
    addRow(form, tr("Caches"), caches_, tr("Whether timing begins with cold caches"));
    addRow(form, tr("Time budget of a case"), budget_,
           tr("Sampling goes on until the interval is within ±1 %, or this long"));
    layout()->addWidget(group);
}

/// The goal of the speedup is the project's target.
void SettingsDialog::makeGoalsGroup() {
    const Validated<RuleBook> book = load_rules();
    if (!book || book->goals.empty()) return;
    auto* group = new QGroupBox(tr("Goals of a kernel"));
    auto* form = new QFormLayout(group);
    goals_before_ = book->goals;
    for (const auto& [name, goal] : book->goals) {
        const Metric& metric = *find_metric(name);
        goals_[name] = goalBox(metric, goal);
        goals_[name]->setObjectName(toQt("goal_" + name));
        addRow(form, tr("%1 above").arg(titleOf(metric)), goals_[name], meaningOf(metric));
    }
    layout()->addWidget(group);
}

void SettingsDialog::showGoals() {
    if (!goals_.empty()) goals_.begin()->second->setFocus(Qt::OtherFocusReason);
}

void SettingsDialog::keepGoals() {
    std::map<std::string, double> goals = goals_before_;
    for (const auto& [name, box] : goals_) goals[name] = box->value() / unitOfGoal(*find_metric(name));
    if (goals == goals_before_) return;
    if (const Result<void> saved = save_goals(goals); !saved)
        session_.log().add(Severity::error, tr("The goals were not saved: %1").arg(inWords(saved.error().message)));
    session_.diagnoses().again();
}

void SettingsDialog::makeAppearanceGroup() {
    auto* group = new QGroupBox(tr("Appearance"));
    auto* form = new QFormLayout(group);
    theme_->addItem(tr("System"), static_cast<int>(Theme::system));
    theme_->addItem(tr("Light"), static_cast<int>(Theme::light));
    theme_->addItem(tr("Dark"), static_cast<int>(Theme::dark));
    theme_->setCurrentIndex(theme_->findData(static_cast<int>(session_.settings().theme())));
    addRow(form, tr("Theme"), theme_, tr("System follows the desktop"));
    language_->addItem(tr("System"), "");
    language_->addItem(QStringLiteral("English"), "en");
    language_->addItem(QStringLiteral("简体中文"), "zh_CN");
    language_->setCurrentIndex(language_->findData(session_.settings().language()));
    addRow(form, tr("Language"), language_, tr("Of the window and of exported logs"));
    layout()->addWidget(group);
}

void SettingsDialog::accept() {
    Settings& settings = session_.settings();
    settings.setCompiler(compiler_->program());
    settings.setPython(python_->program());
    settings.setWorkerCommand(QProcess::splitCommand(worker_->text()));
    settings.setCallTimeoutSeconds(timeout_->value());
    settings.setNewBudgetSeconds(budget_->value());
    settings.setNewWarmCaches(caches_->currentData().toBool());
    settings.setTheme(static_cast<Theme>(theme_->currentData().toInt()));
    settings.setLanguage(language_->currentData().toString());
    keepGoals();
    session_.setDevice(device_->currentText());
    QDialog::accept();
}

}  // namespace kernelgen::studio
