// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/model/model_window.h"

#include <QClipboard>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTextBrowser>
#include <QVBoxLayout>
#include <nlohmann/json.hpp>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/selectable.h"
#include "app/studio/application/text.h"
#include "app/studio/model/model_setup.h"
#include "app/studio/model/model_tables.h"
#include "app/studio/model/model_words.h"
#include "app/studio/model/share_bar.h"
#include "app/studio/rounds/html_page.h"
#include "app/studio/theme/icons.h"
#include "app/studio/theme/theme.h"
#include "core/base/file.h"

namespace kernelgen::studio {

namespace {

/// A number, large, over what it is.
QString figure(const QString& number, const QString& what, const QColor& colour, const QColor& muted) {
    return QStringLiteral(
               "<span style='font-size:x-large; font-weight:600; color:%1'>%2</span><br>"
               "<span style='color:%3'>%4</span>")
        .arg(colour.name(), number.toHtmlEscaped(), muted.name(), what.toHtmlEscaped());
}

void paint(QLabel* label, const QColor& colour) {
    QPalette own = label->palette();
    own.setColor(QPalette::WindowText, colour);
    label->setPalette(own);
}

}  // namespace

ModelWindow::ModelWindow(Session& session, const QString& parentOfProjects, QWidget* parent)
    : QDialog(parent),
      session_(session),
      parent_of_projects_(parentOfProjects),
      setup_(new ModelSetup(session)),
      bar_(new ShareBar),
      tables_(new ModelTables),
      problem_(new QLabel),
      pages_(new QStackedWidget),
      message_(new QTextBrowser) {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowFlags(Qt::Window);
    setObjectName("model");
    setWindowTitle(tr("Operators of a model"));
    setAcceptDrops(true);
    resize(1240, 700);
    message_->setObjectName("model_message");
    message_->setAccessibleName(tr("What to do"));
    message_->setFrameShape(QFrame::NoFrame);
    message_->document()->setDocumentMargin(28);
    problem_->setObjectName("model_problem");
    problem_->setWordWrap(true);
    makeSelectable(*problem_, Qt::TextSelectableByMouse);
    pages_->addWidget(message_);
    pages_->addWidget(makeReport());
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(setup_);
    layout->addWidget(problem_);
    layout->addWidget(pages_, 1);
    connect(&session_.model(), &ModelStudy::changed, this, &ModelWindow::refresh);
    connect(&session_.engine(), &Engine::runningChanged, this, &ModelWindow::updateActions);
    connect(&session_.document(), &ProjectDocument::opened, this, &ModelWindow::updateActions);
    refresh();
}

QWidget* ModelWindow::makeReport() {
    auto* report = new QWidget;
    auto* column = new QVBoxLayout(report);
    column->setContentsMargins({});
    column->addWidget(makeFigures());
    column->addWidget(bar_);
    column->addWidget(notes_);
    column->addWidget(tables_, 1);
    column->addWidget(makeActions());
    connect(bar_, &ShareBar::chosen, tables_, &ModelTables::choose);
    connect(tables_, &ModelTables::chosen, this, &ModelWindow::followChoice);
    return report;
}

QWidget* ModelWindow::makeFigures() {
    auto* figures = new QWidget;
    auto* line = new QHBoxLayout(figures);
    line->setContentsMargins(0, 2, 0, 2);
    line->setSpacing(28);
    for (QLabel** each : {&whole_, &calls_, &between_, &gain_}) {
        *each = new QLabel;
        (*each)->setTextFormat(Qt::RichText);
        line->addWidget(*each);
    }
    line->addStretch(1);
    gain_->setObjectName("model_gain");
    whole_->setObjectName("model_whole");
    notes_ = new QLabel;
    notes_->setObjectName("model_notes");
    notes_->setWordWrap(true);
    connect(notes_, &QLabel::linkActivated, this, [this] {
        const auto report = session_.model().report();
        if (report) session_.engine().measureCeilings(toQt(report->device));
    });
    return figures;
}

QPushButton* ModelWindow::add(QBoxLayout& line, const QString& text, const QString& name) {
    auto* button = new QPushButton(text);
    button->setObjectName(name);
    button->setAutoDefault(false);
    line.addWidget(button);
    return button;
}

QSpinBox* ModelWindow::addCall(QBoxLayout& line, const QString& before, const QString& name, const QString& what) {
    auto* call = new QSpinBox;
    call->setObjectName(name);
    call->setAccessibleName(what);
    call->setToolTip(what);
    line.addWidget(new QLabel(before));
    line.addWidget(call);
    return call;
}

QWidget* ModelWindow::makeActions() {
    auto* actions = new QWidget;
    auto* line = new QHBoxLayout(actions);
    line->setContentsMargins({});
    first_ = addCall(*line, tr("Calls"), "model_first", tr("First call"));
    last_ = addCall(*line, tr("to"), "model_last", tr("Last call"));
    make_ = add(*line, tr("Make a project of these calls"), "model_make");
    with_ = add(*line, tr("Gain with a project"), "model_with");
    line->addStretch(1);
    copy_ = add(*line, tr("Copy as Markdown"), "model_copy");
    save_ = add(*line, tr("Save as…"), "model_save");
    with_->setToolTip(tr("The whole with the fastest right round of a project in the place of its calls"));
    projects_ = new QMenu(with_);
    with_->setMenu(projects_);
    connect(first_, &QSpinBox::valueChanged, last_, &QSpinBox::setMinimum);
    connect(make_, &QPushButton::clicked, this, &ModelWindow::makeProject);
    connect(projects_, &QMenu::aboutToShow, this, &ModelWindow::fillProjects);
    connect(copy_, &QPushButton::clicked, this, &ModelWindow::copyMarkdown);
    connect(save_, &QPushButton::clicked, this, &ModelWindow::saveAs);
    return actions;
}

void ModelWindow::fillProjects() {
    ModelStudy& model = session_.model();
    projects_->clear();
    const QString folder = session_.document().isOpen() ? session_.document().folder() : QString();
    QAction* open = projects_->addAction(
        folder.isEmpty() ? tr("The open project") : tr("The open project, %1").arg(QFileInfo(folder).fileName()), this,
        [&model, folder] { model.putInPlace(folder); });
    open->setEnabled(!folder.isEmpty());
    projects_->addAction(tr("Choose a project…"), this, &ModelWindow::chooseProject);
    projects_->addSeparator();
    projects_->addAction(tr("Without projects"), this, [&model] { model.takeOutOfPlace(); })
        ->setEnabled(model.report() && !model.report()->replacements.empty());
}

void ModelWindow::chooseProject() {
    const QString folder =
        QFileDialog::getExistingDirectory(this, tr("A project made of this model's calls"), parent_of_projects_);
    if (!folder.isEmpty()) session_.model().putInPlace(folder);
}

void ModelWindow::refresh() {
    const auto report = session_.model().report();
    pages_->setCurrentIndex(report ? 1 : 0);
    if (report) showReport(*report);
    else showMessage();
    showProblem(report ? problemText() : QString());
    updateActions();
}

void ModelWindow::showReport(const ModelReport& report) {
    showFigures(report);
    showNotes(report);
    bar_->show(report);
    first_->setRange(1, report.profile.calls());
    last_->setMaximum(report.profile.calls());
    tables_->show(session_.model().report());
}

void ModelWindow::showFigures(const ModelReport& report) {
    const Colours colours = coloursOf(palette());
    const QColor text = palette().color(QPalette::WindowText);
    const ModelProfile& profile = report.profile;
    const double sum = profile.seconds_of_calls();
    const auto show = [&](QLabel* label, const QString& number, const QString& what) {
        label->setText(figure(number, what, text, colours.muted));
    };
    show(whole_, secondsOf(profile.seconds), wholeText(profile));
    show(calls_, secondsOf(sum), callsText(profile));
    show(between_, secondsOf(std::abs(profile.seconds - sum)), betweenText(profile));
    gain_->setVisible(!report.replacements.empty());
    if (report.replacements.empty()) return;
    const double gain = profile.total() / report.seconds_with_replacements();
    gain_->setText(
        figure(QString::number(gain, 'f', 3) + QStringLiteral("×"),
               tr("gains the whole with %n project(s)", nullptr, static_cast<int>(report.replacements.size())),
               gain > 1 ? colours.good : colours.bad, colours.muted));
    gain_->setToolTip(gainWithProjects(report));
}

void ModelWindow::showNotes(const ModelReport& report) {
    QStringList lines;
    if (!report.replacements.empty()) lines << gainWithProjects(report).toHtmlEscaped().replace('\n', "<br>");
    for (const Said& each : report.profile.notes) lines << inWords(each).toHtmlEscaped();
    if (!report.ceilings.measured())
        lines << tr("No ceilings are known of %1, so there are no gains, and the order is that of time.")
                         .arg(toQt(report.device).toHtmlEscaped()) +
                     QStringLiteral(" <a href='ceilings'>%1</a>").arg(tr("Measure them"));
    notes_->setText(lines.join("<br>"));
    notes_->setVisible(!lines.isEmpty());
    paint(notes_, coloursOf(palette()).muted);
}

/// What to do before there is a report, or why there is none.
void ModelWindow::showMessage() {
    const ModelStudy& model = session_.model();
    HtmlPage page(palette());
    if (model.file().isEmpty()) {
        page.title(tr("What would a model gain, and from which of its operators?"), palette().color(QPalette::Text));
        page.paragraph(
            tr("Choose a Python file with a model and its inputs, such as a problem of KernelBench with "
               "Model, get_inputs and get_init_inputs. Or drop it here."));
        page.paragraph(
            tr("Each call of an operator is timed and placed on the roofline. What gains most comes first: "
               "make a project of it, tune it, and see what the whole gains."));
        page.muted(tr("The file is only read until you press Measure."));
    } else if (!model.problem().isEmpty()) {
        page.title(tr("%1 was not measured").arg(QFileInfo(model.file()).fileName()), coloursOf(palette()).bad);
        page.paragraph(problemText());
    } else if (model.isAsking()) {
        page.title(QFileInfo(model.file()).fileName(), palette().color(QPalette::Text));
        page.muted(tr("The model runs as a whole, and then each of its calls alone."));
    } else if (!model.cases().isEmpty()) {
        page.title(QFileInfo(model.file()).fileName(), palette().color(QPalette::Text));
        page.paragraph(tr("The file has a model and its inputs. Measure executes it, in a process with limits."));
    }
    message_->setHtml(page.take());
}

QString ModelWindow::problemText() const {
    const ModelStudy& model = session_.model();
    return model.asksForPython()
               ? model.problem() + "\n" + tr("Edit > Settings names the interpreter that has PyTorch.")
               : model.problem();
}

/// Shows a problem beside a report; without a report the message says it.
void ModelWindow::showProblem(const QString& problem) {
    problem_->setText(breakable(problem));
    problem_->setVisible(!problem.isEmpty());
    paint(problem_, coloursOf(palette()).bad);
}

void ModelWindow::followChoice() {
    bar_->choose(tables_->row());
    if (const auto calls = tables_->calls()) {
        first_->setValue(calls->first);
        last_->setValue(calls->last);
    }
    updateActions();
}

void ModelWindow::updateActions() {
    const bool has_report = session_.model().report() != nullptr;
    const bool idle = !session_.engine().isRunning() && !session_.model().isAsking();
    make_->setEnabled(has_report && idle);
    make_->setToolTip(idle ? tr("A new project in %1, which is then opened").arg(parent_of_projects_)
                           : tr("Something else is running: it comes after that"));
}

void ModelWindow::makeProject() {
    session_.model().makeProject({first_->value(), last_->value()}, parent_of_projects_);
}

void ModelWindow::copyMarkdown() const {
    if (const auto report = session_.model().report())
        QGuiApplication::clipboard()->setText(toQt(model_text(*report, to_markdown)));
}

void ModelWindow::saveAs() {
    const auto report = session_.model().report();
    if (!report) return;
    const QFileInfo file(session_.model().file());
    const QString chosen = QFileDialog::getSaveFileName(this, tr("Save the operators"),
                                                        file.path() + "/" + file.completeBaseName() + "-operators.md",
                                                        tr("Markdown (*.md);;JSON (*.json)"));
    if (chosen.isEmpty()) return;
    const bool as_json = chosen.endsWith(".json");
    const std::string text = as_json ? to_json(*report).dump(2) + "\n" : model_text(*report, to_markdown);
    const Result<void> written = write_file_atomic(chosen.toStdString(), text);
    if (!written) showProblem(inWords(written.error().message));
}

void ModelWindow::changeEvent(QEvent* event) {
    QDialog::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) refresh();
}

void ModelWindow::dragEnterEvent(QDragEnterEvent* event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.size() == 1 && urls.front().isLocalFile()) event->acceptProposedAction();
}

void ModelWindow::dropEvent(QDropEvent* event) {
    event->acceptProposedAction();
    session_.model().read(event->mimeData()->urls().front().toLocalFile());
}

}  // namespace kernelgen::studio
