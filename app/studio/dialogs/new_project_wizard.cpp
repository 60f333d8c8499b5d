// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/dialogs/new_project_wizard.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/text.h"
#include "app/studio/operator/analysis_view.h"
#include "app/studio/operator/bindings.h"
#include "app/studio/operator/definition_form.h"
#include "app/studio/operator/section.h"
#include "app/studio/theme/icons.h"
#include "app/studio/theme/theme.h"
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/files/sources.h"
#include "core/generate/generate.h"
#include "core/project/project_file.h"

namespace kernelgen::studio {

namespace {

constexpr std::int64_t size_of_new_symbol = 1024;

QString sampleFolder() { return toQt((resource_folder() / "projects").string()); }

Operator blankDefinition() {
    Operator blank;
    blank.name = "my_operator";
    blank.symbols = {"P", "D"};
    blank.inputs = {{.name = "x", .shape = {"P", "D"}, .dtype = {}}};
    blank.outputs = {{.name = "out", .shape = {"P", "D"}, .dtype = {}}};
    blank.body = "out = 2 * x";
    return blank;
}

Operator definitionOf(const QString& sample) {
    if (sample.isEmpty()) return blankDefinition();
    const Validated<Project> project = load_project((sampleFolder() + "/" + sample).toStdString());
    return project ? project->definition : blankDefinition();
}

/// The dimensions that are no numbers: those of before in their order, then new ones as they appear.
std::vector<std::string> symbolsOf(const Operator& definition) {
    std::vector<std::string> used;
    const auto collect = [&](const std::vector<Tensor>& tensors) {
        for (const Tensor& tensor : tensors) {
            for (const std::string& dimension : tensor.shape) {
                long long number = 0;
                if (!parse_integer(dimension, number) && !std::ranges::contains(used, dimension)) {
                    used.push_back(dimension);
                }
            }
        }
    };
    collect(definition.inputs);
    collect(definition.outputs);
    const auto& before = definition.symbols;
    std::ranges::stable_sort(used, {},
                             [&](const std::string& each) { return std::ranges::find(before, each) - before.begin(); });
    return used;
}

}  // namespace

NewProjectWizard::NewProjectWizard(Session& session, QWidget* parent)
    : QDialog(parent), session_(session), made_(std::unexpected(Diagnostics{})) {
    setWindowTitle(tr("New project"));
    draft_.setCompletion([this](Project& draft) { complete(draft); });
    draft_.start({});
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(makeTop());
    layout->addWidget(makeMiddle(), 1);
    layout->addWidget(makeBottom());
    create_->setDefault(true);
    connect(&draft_, &ProjectDocument::opened, this, &NewProjectWizard::updateState);
    connect(&draft_, &ProjectDocument::changed, this, &NewProjectWizard::updateState);
    resize(940, 680);
    beginWith(samples_->currentData().toString());
    name_->setFocus();
}

QWidget* NewProjectWizard::makeTop() {
    auto* top = new QWidget;
    auto* form = new QFormLayout(top);
    form->setContentsMargins({});
    samples_ = new QComboBox;
    samples_->addItem(tr("Blank"), QString());
    for (const QString& name : QDir(sampleFolder()).entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
        if (QFileInfo::exists(sampleFolder() + "/" + name + "/project.json")) samples_->addItem(name, name);
    }
    samples_->setAccessibleName(tr("Begin with"));
    samples_->setToolTip(tr("The definition that is there to begin with"));
    connect(samples_, &QComboBox::activated, this, [this] { beginWith(samples_->currentData().toString()); });
    form->addRow(tr("Begin with"), samples_);
    name_ = new LineField(draft_, Bindings::name());
    form->addRow(tr("Name"), name_);
    form->addRow(tr("Folder"), makeFolderRow());
    return top;
}

QWidget* NewProjectWizard::makeFolderRow() {
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(2, 0, 2, 0);
    folder_ = new QLineEdit;
    folder_->setAccessibleName(tr("Folder"));
    folder_->setToolTip(tr("Is made; must not hold a project yet"));
    auto* browse = new QToolButton;
    browse->setIcon(icon("open", palette()));
    browse->setAccessibleName(tr("Choose the folder"));
    browse->setToolTip(tr("Choose the folder"));
    layout->addWidget(folder_);
    layout->addWidget(browse);
    connect(folder_, &QLineEdit::textChanged, this, &NewProjectWizard::updateState);
    connect(browse, &QToolButton::clicked, this, &NewProjectWizard::browse);
    return row;
}

QWidget* NewProjectWizard::makeMiddle() {
    auto* scroll = new QScrollArea;
    scroll->setWidget(new DefinitionForm(draft_, DefinitionForm::Extent::beginning));
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    auto* follows = new QWidget;
    auto* column = new QVBoxLayout(follows);
    column->setContentsMargins(6, 4, 6, 4);
    preview_ = new QLabel;
    preview_->setWordWrap(true);
    preview_->setTextFormat(Qt::RichText);
    auto* will_be = new Section(tr("What will be made"), preview_);
    auto* analysis = new Section(tr("Analysis"), new AnalysisView(session_, draft_));
    for (Section* each : {will_be, analysis}) {
        each->setOpen(true);
        column->addWidget(each);
    }
    column->addStretch();
    auto* middle = new QSplitter;
    middle->addWidget(scroll);
    middle->addWidget(follows);
    middle->setSizes({560, 360});
    middle->setChildrenCollapsible(false);
    return middle;
}

QWidget* NewProjectWizard::makeBottom() {
    auto* bottom = new QWidget;
    auto* row = new QHBoxLayout(bottom);
    row->setContentsMargins({});
    reason_ = new QLabel;
    reason_->setWordWrap(true);
    reason_->setTextFormat(Qt::PlainText);
    reason_->setMinimumHeight(2 * fontMetrics().lineSpacing());  // the form does not move as a reason comes
    QPalette shown = palette();
    shown.setColor(QPalette::WindowText, coloursOf(shown).bad);
    reason_->setPalette(shown);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    create_ = buttons->addButton(tr("Create"), QDialogButtonBox::AcceptRole);
    connect(buttons, &QDialogButtonBox::accepted, this, &NewProjectWizard::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &NewProjectWizard::reject);
    row->addWidget(reason_, 1);
    row->addWidget(buttons);
    return bottom;
}

void NewProjectWizard::browse() {
    const QString chosen = QFileDialog::getExistingDirectory(this, tr("Where the project's folder is to be"),
                                                             QFileInfo(folder()).absolutePath());
    if (chosen.isEmpty()) return;
    folder_->setText(chosen + "/" + draft_.title());
    folder_->setModified(true);
}

void NewProjectWizard::beginWith(const QString& sample) {
    const bool own_name = !sample_name_.isEmpty() && draft_.title() != sample_name_;
    const std::string name = draft_.project().definition.name;
    Project draft;
    draft.definition = definitionOf(sample);
    sample_name_ = toQt(draft.definition.name);
    if (own_name) draft.definition.name = name;
    usual_cases_.clear();
    complete(draft);
    draft_.start(std::move(draft));
    samples_->setCurrentIndex(std::max(samples_->findData(sample), 0));
    name_->refresh();
}

void NewProjectWizard::complete(Project& draft) {
    draft.definition.symbols = symbolsOf(draft.definition);
    made_ = make_project(draft.definition);
    completeCases(draft);
}

void NewProjectWizard::completeCases(Project& draft) {
    if (made_ && draft.cases == usual_cases_) {
        usual_cases_ = made_->cases;
        draft.cases = made_->cases;
    }
    const auto& symbols = draft.definition.symbols;
    for (Case& each : draft.cases) {
        std::erase_if(each.sizes, [&](const auto& size) { return !std::ranges::contains(symbols, size.first); });
        for (const std::string& symbol : symbols) each.sizes.try_emplace(symbol, size_of_new_symbol);
    }
}

QString NewProjectWizard::folder() const {
    const QString text = folder_->text().trimmed();
    return QDir::cleanPath(text.startsWith("~/") ? QDir::homePath() + text.mid(1) : text);
}

void NewProjectWizard::suggestFolder() {
    if (folder_->isModified()) return;
    const QString suggested = QDir::homePath() + "/kernelgen/" + draft_.title();
    if (folder_->text() == suggested) return;
    folder_->setText(suggested);
}

QString NewProjectWizard::problemOfFolder() const {
    const QString path = folder();
    if (folder_->text().trimmed().isEmpty()) return tr("Give the project a folder");
    if (!QDir::isAbsolutePath(path)) return tr("The folder is to be a whole path, from /");
    if (QFileInfo::exists(path + "/project.json")) return tr("The folder already holds a project");
    QFileInfo place(path);
    while (!place.exists() && !place.isRoot()) place = QFileInfo(place.absolutePath());
    if (!place.isDir()) return tr("%1 is not a folder").arg(place.filePath());
    return place.isWritable() ? QString() : tr("%1 cannot be written to").arg(place.filePath());
}

QString NewProjectWizard::reason() const {
    if (!draft_.diagnostics().empty()) return inWords(draft_.diagnostics().front());
    if (!made_) return made_.error().empty() ? QString() : inWords(made_.error().front());
    return problemOfFolder();
}

QString NewProjectWizard::preview() const {
    if (!made_) return tr("Nothing before the definition's errors are put right").toHtmlEscaped();
    QString html;
    for (const Variant& variant : made_->variants) {
        QStringList tunables;
        for (const Tunable& each : variant.tunables) tunables << toQt(each.name);
        QString what = variant.source.empty() ? tr("oneDNN's %1").arg(toQt(variant.primitive)) : toQt(variant.source);
        if (!tunables.isEmpty()) what += tr(", tunables %1").arg(tunables.join(", "));
        const bool is_baseline = std::ranges::any_of(
            made_->performance.baseline, [&](const auto& of_kind) { return of_kind.second == variant.name; });
        html += QStringLiteral("<p><b>%1</b>%2<br>%3</p>")
                    .arg(toQt(variant.name).toHtmlEscaped(), is_baseline ? tr(" (the baseline)").toHtmlEscaped() : "",
                         what.toHtmlEscaped());
    }
    return html;
}

void NewProjectWizard::updateState() {
    if (create_ == nullptr) return;
    name_->refresh();
    suggestFolder();
    Diagnostics of_name;
    for (const Diagnostic& each : draft_.diagnostics()) {
        if (name_->owns(each.where)) of_name.push_back(each);
    }
    name_->setDiagnostics(of_name);
    preview_->setText(preview());
    reason_->setText(breakable(reason()));
    create_->setEnabled(reason().isEmpty());
}

void NewProjectWizard::accept() {
    if (!reason().isEmpty()) return;
    Project project = *made_;
    project.folder = folder().toStdString();
    project.cases = draft_.project().cases;
    project.performance.budget_seconds = session_.settings().newBudgetSeconds();
    project.performance.warm_caches = session_.settings().newWarmCaches();
    const Result<void> written = create_project(project);
    if (written) return QDialog::accept();
    reason_->setText(breakable(inWords(written.error().message)));
}

}  // namespace kernelgen::studio
