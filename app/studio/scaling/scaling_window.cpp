// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/scaling/scaling_window.h"

#include <QClipboard>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableWidget>
#include <QTextBrowser>
#include <QVBoxLayout>
#include <QtConcurrentRun>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/plain_table.h"
#include "app/studio/application/selectable.h"
#include "app/studio/application/text.h"
#include "app/studio/rounds/html_page.h"
#include "app/studio/scaling/amax_view.h"
#include "app/studio/scaling/mode_errors_view.h"
#include "app/studio/scaling/scaling_setup.h"
#include "app/studio/theme/theme.h"
#include "core/base/file.h"
#include "core/base/json_format.h"

namespace kernelgen::studio {

namespace {

QLabel* makeWrapped(const char* id) {
    auto* label = new QLabel;
    label->setObjectName(id);
    label->setWordWrap(true);
    makeSelectable(*label, Qt::TextSelectableByMouse);
    return label;
}

void fill(QTableWidget& table, const MarkdownTable& content) {
    table.clear();
    table.setColumnCount(static_cast<int>(content.header.size()));
    table.setRowCount(static_cast<int>(content.rows.size()));
    QStringList titles;
    for (const std::string& each : content.header) titles << toQt(each);
    table.setHorizontalHeaderLabels(titles);
    for (int row = 0; row < table.rowCount(); ++row) {
        for (int column = 0; column < table.columnCount(); ++column) {
            const QString text = toQt(content.rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)]);
            auto* item = new QTableWidgetItem(text);
            item->setToolTip(text);
            item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
            table.setItem(row, column, item);
        }
    }
    table.resizeColumnsToContents();
}

void paintText(QLabel& label, const QColor& colour) {
    QPalette own = label.palette();
    own.setColor(QPalette::WindowText, colour);
    label.setPalette(own);
}

}  // namespace

ScalingWindow::ScalingWindow(QWidget* parent)
    : QDialog(parent),
      setup_(new ScalingSetup),
      layers_(new QComboBox),
      problem_(makeWrapped("scaling_problem")),
      sentences_(makeWrapped("scaling_sentences")),
      floor_(makeWrapped("scaling_floor")),
      message_(new QTextBrowser),
      pages_(new QStackedWidget),
      tabs_(new QTabWidget),
      modes_(makeTable("scaling_modes", tr("Scales and their errors"))),
      steps_(makeTable("scaling_steps", tr("Steps as delayed scales met them"))),
      errors_(makeTable("scaling_errors", tr("Errors over all layers"))),
      policy_(makeTable("scaling_policy", tr("Precision of each layer"))),
      chart_(new ModeErrorsView),
      amax_(new AmaxView) {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowFlags(Qt::Window);
    setObjectName("scaling");
    setWindowTitle(tr("FP8 scaling"));
    setAcceptDrops(true);
    resize(1180, 680);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(setup_);
    layout->addWidget(problem_);
    layout->addWidget(pages_, 1);
    message_->setObjectName("scaling_message");
    message_->setAccessibleName(tr("What to do"));
    message_->setFrameShape(QFrame::NoFrame);
    message_->document()->setDocumentMargin(28);
    pages_->addWidget(message_);
    pages_->addWidget(makeResult());
    connect(setup_, &ScalingSetup::changed, this, &ScalingWindow::ask);
    connect(layers_, &QComboBox::currentIndexChanged, this, &ScalingWindow::showLayer);
    connect(modes_, &QTableWidget::itemSelectionChanged, this, &ScalingWindow::showChart);
    connect(&answer_, &QFutureWatcherBase::finished, this, &ScalingWindow::take);
    applyPalette();
    ask();
}

ScalingWindow::~ScalingWindow() { stop_.request_stop(); }

QTableWidget* ScalingWindow::makeTable(const QString& name, const QString& what) {
    auto* table = new QTableWidget;
    table->setObjectName(name);
    table->setAccessibleName(what);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    makePlain(*table);
    table->verticalHeader()->hide();
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    return table;
}

QWidget* ScalingWindow::makeResult() {
    layers_->setObjectName("scaling_layer");
    layers_->setAccessibleName(tr("Tensor"));
    tabs_->setObjectName("scaling_tabs");
    tabs_->addTab(makeModes(), tr("Scales"));
    tabs_->addTab(makeSteps(), tr("Steps"));
    tabs_->addTab(makeLayers(), tr("Layers"));
    auto* result = new QWidget;
    auto* column = new QVBoxLayout(result);
    column->setContentsMargins({});
    column->addWidget(layers_);
    column->addWidget(tabs_, 1);
    column->addWidget(makeActions());
    return result;
}

QWidget* ScalingWindow::makeModes() {
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    auto* parts = new QSplitter(Qt::Vertical);
    modes_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    modes_->setToolTip(tr("The chart shows the selected rows; without a selection all"));
    parts->addWidget(modes_);
    parts->addWidget(chart_);
    parts->setStretchFactor(1, 1);
    parts->setSizes({190, 350});
    column->addWidget(sentences_);
    column->addWidget(parts, 1);
    return page;
}

QWidget* ScalingWindow::makeSteps() {
    auto* parts = new QSplitter;
    parts->addWidget(steps_);
    parts->addWidget(amax_);
    parts->setStretchFactor(1, 1);
    parts->setSizes({460, 700});
    return parts;
}

QWidget* ScalingWindow::makeLayers() {
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    errors_->setMaximumHeight(errors_->sizeHint().height() / 2);
    column->addWidget(errors_);
    column->addWidget(floor_);
    column->addWidget(policy_, 1);
    return page;
}

QWidget* ScalingWindow::makeActions() {
    auto* actions = new QWidget;
    auto* line = new QHBoxLayout(actions);
    line->setContentsMargins({});
    begin_ = new QPushButton(tr("Begin with a state…"));
    keep_ = new QPushButton(tr("Keep the state…"));
    copy_ = new QPushButton(tr("Copy as Markdown"));
    save_ = new QPushButton(tr("Save as…"));
    copy_->setObjectName("scaling_copy");
    save_->setObjectName("scaling_save");
    begin_->setToolTip(tr("A file that keeps the averages of earlier steps, as --state of the command writes it"));
    keep_->setToolTip(tr("Write the averages with these steps to a file, for the steps that come"));
    for (QPushButton* each : {begin_, keep_, copy_, save_}) {
        each->setAutoDefault(false);
        if (each == copy_) line->addStretch(1);
        line->addWidget(each);
    }
    connect(begin_, &QPushButton::clicked, this, &ScalingWindow::chooseState);
    connect(keep_, &QPushButton::clicked, this, &ScalingWindow::chooseStateToKeep);
    connect(copy_, &QPushButton::clicked, this, &ScalingWindow::copyMarkdown);
    connect(save_, &QPushButton::clicked, this, &ScalingWindow::saveAs);
    return actions;
}

void ScalingWindow::open(const QStringList& files) {
    state_.clear();
    setup_->setFiles(files);
}

void ScalingWindow::beginWith(const QString& state) {
    state_ = state;
    ask();
}

/// Another thread answers. A newer question ends the work on the one before.
void ScalingWindow::ask() {
    stop_.request_stop();
    stop_ = {};
    is_asking_ = !setup_->files().isEmpty();
    if (!is_asking_) shown_.reset();
    problem_->hide();
    showReport();
    if (!is_asking_) return;
    const auto job = [request = setup_->request(), stop = stop_.get_token(), file = state_.toStdString()]() -> Job {
        Validated<ScalingState> state = file.empty() ? ScalingState() : read_scaling_state(file);
        if (!state) return std::make_shared<const Answer>(Answer{request, {}, std::unexpected(state.error())});
        Validated<ScalingReport> report = assist_scaling(request, *state, [](const std::string&) {}, stop);
        return std::make_shared<const Answer>(Answer{request, std::move(*state), std::move(report)});
    };
    answer_.setFuture(QtConcurrent::run(job));
}

void ScalingWindow::take() {
    if (setup_->files().isEmpty()) return;
    is_asking_ = false;
    shown_ = answer_.result();
    showReport();
}

/// The report, or why there is none.
void ScalingWindow::showReport() {
    const bool has_report = shown_ && shown_->report;
    pages_->setCurrentIndex(has_report ? 1 : 0);
    if (!has_report) return showMessage();
    {
        const QSignalBlocker quiet(layers_);
        const QString before = layers_->currentText();
        layers_->clear();
        for (const LayerScaling& each : shown_->report->layers) layers_->addItem(toQt(each.name));
        layers_->setCurrentIndex(std::max(0, layers_->findText(before)));
    }
    layers_->setVisible(layers_->count() > 1);
    showLayer();
    showModelErrors();
}

void ScalingWindow::showMessage() {
    HtmlPage page(palette());
    if (is_asking_) {
        page.muted(tr("Reading…"));
    } else if (shown_) {
        page.title(tr("No scales were found"), coloursOf(palette()).bad);
        page.paragraph(inWords(shown_->report.error()));
    } else {
        page.title(tr("Which FP8 format and scales does a tensor need?"), palette().color(QPalette::Text));
        page.paragraph(
            tr("Choose tensors (.npy), or drop them here: the layers of a model, or one tensor at several "
               "steps. Each is stored in FP8 with one scale, with a scale for each channel and for each "
               "group, and the errors stand beside one another."));
        page.paragraph(
            tr("Files of recorded amax (CSV or JSON lines) show which steps delayed scales would have "
               "clipped; docs/SCALING.md says what they hold."));
    }
    message_->setHtml(page.take());
}

const LayerScaling* ScalingWindow::layer() const {
    const int index = layers_->currentIndex();
    return shown_ && shown_->report && index >= 0 ? &shown_->report->layers[static_cast<std::size_t>(index)] : nullptr;
}

void ScalingWindow::showLayer() {
    const LayerScaling* chosen = layer();
    if (chosen == nullptr) return;
    const Phrases say = windowPhrases();
    showSentences(*chosen);
    {
        const QSignalBlocker quiet(modes_);
        fill(*modes_, modes_table(chosen->tensor ? chosen->tensor->modes : std::vector<ModeErrors>(), say));
    }
    modes_->setVisible(chosen->tensor.has_value());
    fill(*steps_, steps_table(*chosen, chosen->delayed.steps, say));
    amax_->present(chosen->delayed);
    tabs_->setTabVisible(1, !chosen->delayed.steps.empty());
    showChart();
}

void ScalingWindow::showSentences(const LayerScaling& layer) {
    const Phrases say = windowPhrases();
    QStringList lines;
    for (const std::string& each : layer_words(layer, shown_->request, say)) lines << toQt(each);
    sentences_->setText(breakable(lines.join('\n')));
}

/// The selected modes, or all.
void ScalingWindow::showChart() {
    const LayerScaling* chosen = layer();
    if (chosen == nullptr) return;
    if (!chosen->tensor) return chart_->showMessage(tr("Only amax is known of it: give a tensor (.npy) to see errors"));
    std::set<int> rows;
    for (const QModelIndex& each : modes_->selectionModel()->selectedRows()) rows.insert(each.row());
    std::vector<int> shown(rows.begin(), rows.end());
    if (shown.empty()) {
        shown.resize(chosen->tensor->modes.size());
        std::iota(shown.begin(), shown.end(), 0);
    }
    chart_->present(chosen->tensor->modes, shown);
}

void ScalingWindow::showModelErrors() {
    const Phrases say = windowPhrases();
    const ScalingReport& report = *shown_->report;
    fill(*errors_, errors_table(report, shown_->request.limits, say));
    fill(*policy_, policy_table(report, shown_->request.policy, say));
    const bool is_above = report.in_fp8.exceeds_mean(shown_->request.limits);
    floor_->setText(is_above ? toQt(say(Text::scaling_rounding_floor)) : QString());
}

void ScalingWindow::copyMarkdown() const {
    if (!shown_ || !shown_->report) return;
    const std::string text = scaling_text(*shown_->report, shown_->request, windowPhrases(), to_markdown);
    QGuiApplication::clipboard()->setText(toQt(text));
}

void ScalingWindow::saveAs() {
    if (!shown_ || !shown_->report) return;
    const QFileInfo file(setup_->files().front());
    const QString chosen = QFileDialog::getSaveFileName(this, tr("Save the scales"),
                                                        file.path() + "/" + file.completeBaseName() + "-fp8.md",
                                                        tr("Markdown (*.md);;JSON (*.json)"));
    if (chosen.isEmpty()) return;
    const std::string text = chosen.endsWith(".json")
                                 ? format_json(to_json(*shown_->report, shown_->request))
                                 : scaling_text(*shown_->report, shown_->request, windowPhrases(), to_markdown);
    tell(write_file_atomic(chosen.toStdString(), text));
}

void ScalingWindow::tell(const Result<void>& written) {
    problem_->setVisible(!written);
    if (!written) problem_->setText(breakable(inWords(written.error().message)));
}

void ScalingWindow::chooseState() {
    const QString chosen =
        QFileDialog::getOpenFileName(this, tr("State of earlier steps"), state_, tr("JSON (*.json)"));
    if (!chosen.isEmpty()) beginWith(chosen);
}

void ScalingWindow::chooseStateToKeep() {
    const QString place = state_.isEmpty() ? QFileInfo(setup_->files().front()).path() + "/scales.json" : state_;
    const QString chosen = QFileDialog::getSaveFileName(this, tr("Keep the state"), place, tr("JSON (*.json)"));
    if (!chosen.isEmpty()) keepState(chosen);
}

void ScalingWindow::keepState(const QString& file) {
    if (shown_ && shown_->report) tell(write_scaling_state(file.toStdString(), shown_->state));
}

void ScalingWindow::applyPalette() {
    paintText(*problem_, coloursOf(palette()).bad);
    paintText(*floor_, coloursOf(palette()).muted);
}

void ScalingWindow::changeEvent(QEvent* event) {
    QDialog::changeEvent(event);
    if (event->type() != QEvent::PaletteChange) return;
    applyPalette();
    if (pages_->currentIndex() == 0) showMessage();
}

void ScalingWindow::dragEnterEvent(QDragEnterEvent* event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    if (!urls.isEmpty() && std::ranges::all_of(urls, &QUrl::isLocalFile)) event->acceptProposedAction();
}

void ScalingWindow::dropEvent(QDropEvent* event) {
    event->acceptProposedAction();
    QStringList files;
    for (const QUrl& each : event->mimeData()->urls()) files << each.toLocalFile();
    open(files);
}

}  // namespace kernelgen::studio
