// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/operator/analysis_view.h"

#include <QComboBox>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <cmath>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/text.h"
#include "app/studio/theme/theme.h"
#include "core/base/text.h"
#include "core/measure/roofline.h"

namespace kernelgen::studio {

namespace {

QString withUnit(double value, const char* unit) { return toQt(with_si_prefix(value, unit)); }

}  // namespace

AnalysisView::AnalysisView(Session& session, ProjectDocument& document, QWidget* parent)
    : QWidget(parent),
      session_(session),
      document_(document),
      cases_(new QComboBox),
      message_(new QLabel),
      figures_(new QWidget),
      measure_(new QLabel) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(cases_);
    layout->addWidget(message_);
    layout->addWidget(figures_);
    cases_->setAccessibleName(tr("Case that is analysed"));
    cases_->setToolTip(tr("The case that is analysed"));
    cases_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    message_->setWordWrap(true);
    makeLines();
    connect(cases_, &QComboBox::activated, this, &AnalysisView::refresh);
    connect(&document_, &ProjectDocument::opened, this, &AnalysisView::refresh);
    connect(&document_, &ProjectDocument::changed, this, &AnalysisView::refresh);
    connect(&session_, &Session::variantChanged, this, &AnalysisView::refresh);
    connect(&session_.engine(), &Engine::devicesChanged, this, &AnalysisView::refresh);
    connect(&session_.engine(), &Engine::ceilingsMeasured, this, [this](const QString& device, const QString& problem) {
        without_ceilings_[device] = problem;
        refresh();
    });
    connect(&session_.engine(), &Engine::runningChanged, this, &AnalysisView::refresh);
    refresh();
}

void AnalysisView::makeLines() {
    auto* grid = new QGridLayout(figures_);
    grid->setContentsMargins({});
    grid->setVerticalSpacing(2);
    grid->setColumnStretch(1, 1);
    const std::pair<QString, QString> captions[] = {
        {tr("FLOPs"), tr("Operations of the body; transcendental functions count one each")},
        {tr("Bytes"), tr("Each input once and each output once")},
        {tr("Intensity"), tr("FLOPs for each byte")},
        {tr("Bound"), tr("What limits the operator on this device")},
        {tr("Attainable"), tr("The measured ceiling for this mix of reads, writes and operations")},
        {tr("Shortest time"), tr("Bytes over the attainable bandwidth")}};
    for (const auto& [caption, tip] : captions) {
        const Line line{caption, new QLabel(caption), new QLabel};
        line.value->setWordWrap(true);
        line.value->setTextInteractionFlags(Qt::TextSelectableByMouse);
        for (QLabel* each : {line.name, line.value}) each->setToolTip(tip);
        const int row = static_cast<int>(lines_.size());
        grid->addWidget(line.name, row, 0, Qt::AlignTop);
        grid->addWidget(line.value, row, 1);
        lines_.push_back(line);
    }
    measure_->setWordWrap(true);
    measure_->setAccessibleName(tr("Measure ceilings"));
    grid->addWidget(measure_, static_cast<int>(lines_.size()), 0, 1, 2);
    connect(measure_, &QLabel::linkActivated, this, [this] { session_.engine().measureCeilings(session_.device()); });
}

QLabel* AnalysisView::value(const QString& caption) const {
    return std::ranges::find(lines_, caption, &Line::caption)->value;
}

QString AnalysisView::textOf(const QString& caption) const { return value(caption)->text(); }

void AnalysisView::say(const QString& message) {
    message_->setText(message);
    message_->setVisible(!message.isEmpty());
    figures_->setVisible(message.isEmpty());
}

void AnalysisView::fillCases() {
    QStringList names;
    for (const Case& each : document_.project().cases) names << toQt(each.name);
    QStringList before;
    for (int i = 0; i < cases_->count(); ++i) before << cases_->itemText(i);
    if (names == before) return;
    const QSignalBlocker quiet(cases_);
    const int current = std::max(cases_->currentIndex(), 0);
    cases_->clear();
    cases_->addItems(names);
    cases_->setCurrentIndex(std::min(current, static_cast<int>(names.size()) - 1));
    cases_->setVisible(!names.isEmpty());
}

/// Why the case cannot be analysed, or "".
QString AnalysisView::problemOf(int number) const {
    const std::string path = "cases[" + std::to_string(number) + "]";
    for (const Diagnostic& each : document_.diagnostics()) {
        if (each.where.starts_with("operator")) return tr("Not before the definition's errors are put right");
        if (each.where.starts_with(path)) return inWords(each.message);
    }
    return document_.body() == nullptr ? tr("A custom operator has no body to analyse") : QString();
}

void AnalysisView::refresh() {
    fillCases();
    if (!document_.isOpen()) return say(tr("Open a project to see what its cases need"));
    const int number = cases_->currentIndex();
    if (number < 0) return say(tr("Add a case to see what it needs"));
    const QString problem = problemOf(number);
    say(problem);
    if (problem.isEmpty()) show(document_.project().cases[static_cast<std::size_t>(number)]);
}

void AnalysisView::show(const Case& binding) {
    const Analysis analysis = analyse_case(document_.project().definition, *document_.body(), binding);
    QString flops = withUnit(analysis.flops, "FLOP");
    if (analysis.transcendentals > 0) {
        flops += tr(", %1 transcendental").arg(withUnit(analysis.transcendentals, ""));
    }
    value(tr("FLOPs"))->setText(flops.trimmed());
    value(tr("Bytes"))
        ->setText(
            tr("%1 read, %2 written").arg(withUnit(analysis.bytes_read, "B"), withUnit(analysis.bytes_written, "B")));
    value(tr("Intensity"))->setText(tr("%1 FLOP/B").arg(analysis.intensity(), 0, 'g', 3));
    showLimits(analysis, arithmetic_of(document_.project().definition, binding));
}

void AnalysisView::showLimits(const Analysis& analysis, DType arithmetic) {
    // Attainable bandwidth does not depend on the time that a kernel takes.
    const RooflinePoint point = place_on_roofline(analysis, arithmetic, 1, session_.ceilings());
    for (const Line& line : lines_) {
        const bool limit =
            line.caption == tr("Bound") || line.caption == tr("Attainable") || line.caption == tr("Shortest time");
        line.name->setVisible(!limit || point.has_ceilings);
        line.value->setVisible(!limit || point.has_ceilings);
    }
    measure_->setVisible(!point.has_ceilings);
    if (!point.has_ceilings) {
        const QString obstacle = session_.whyNothingRuns();
        if (!obstacle.isEmpty()) return measure_->setText(obstacle.toHtmlEscaped());
        const bool busy = session_.engine().isRunning();
        const auto problem = without_ceilings_.value(session_.device());
        const QString why = problem.isEmpty() ? tr("The ceilings of %1 have not been measured.").arg(session_.device())
                                              : inWords(problem.toStdString()).toHtmlEscaped();
        const QString link = tr("Measure ceilings");
        return measure_->setText(busy ? why : why + " <a href=\"measure\">" + link.toHtmlEscaped() + "</a>");
    }
    value(tr("Bound"))->setText(point.memory_bound ? tr("memory") : tr("compute"));
    const double bandwidth = point.attainable_gbps * 1e9;
    value(tr("Attainable"))
        ->setText(
            tr("%1, %2 on %3")
                .arg(withUnit(bandwidth, "B/s"), withUnit(bandwidth * point.intensity, "FLOP/s"), session_.device()));
    value(tr("Shortest time"))->setText(withUnit(analysis.bytes() / bandwidth, "s"));
}

void AnalysisView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) refresh();
}

}  // namespace kernelgen::studio
