// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/charts/chart_area.h"

#include <QHBoxLayout>
#include <QSplitter>
#include <QTabWidget>
#include <algorithm>
#include <utility>

#include "app/studio/application/status_words.h"
#include "app/studio/application/text.h"
#include "app/studio/charts/case_page.h"
#include "app/studio/charts/catalogue.h"
#include "app/studio/charts/chart_picture.h"
#include "app/studio/charts/chart_style.h"
#include "app/studio/charts/comparison_view.h"
#include "app/studio/charts/efficiency_view.h"
#include "app/studio/charts/error_map_page.h"
#include "app/studio/charts/error_map_view.h"
#include "app/studio/charts/error_view.h"
#include "app/studio/charts/latency_view.h"
#include "app/studio/charts/reference_round.h"
#include "app/studio/charts/roofline_view.h"
#include "app/studio/charts/speedup_view.h"

namespace kernelgen::studio {

ChartArea::ChartArea(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
    splitter_ = new QSplitter(Qt::Horizontal);
    splitter_->setChildrenCollapsible(false);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins({});
    row->addWidget(splitter_);
    filling_.setSingleShot(true);
    connect(&filling_, &QTimer::timeout, this, &ChartArea::fillNext);
    makePages();
    placeSplitter();
    connectSession();
    makeStale();
}

void ChartArea::makePages() {
    speedup_ = new SpeedupView;
    efficiency_ = new EfficiencyView;
    roofline_ = new RooflineView;
    latency_ = new LatencyView;
    errors_ = new ErrorView;
    comparison_ = new ComparisonView;
    comparison_page_ = new CasePage(comparison_);
    latency_page_ = new CasePage(latency_);
    errors_page_ = new CasePage(errors_);
    error_map_ = new ErrorMapPage(session_.settings());
    QTabWidget* left = addTabs();
    addPage(left, speedup_, speedup_, tr("Speedup"), [this] { fillSpeedup(); });
    addPage(left, efficiency_, efficiency_, tr("Efficiency"), [this] { fillEfficiency(); });
    addPage(left, comparison_, comparison_page_, tr("Comparison"), [this] { fillComparison(); });
    QTabWidget* right = addTabs();
    addPage(right, roofline_, roofline_, tr("Roofline"), [this] { fillRoofline(); });
    addPage(right, latency_, latency_page_, tr("Latency"), [this] { fillLatency(); });
    addPage(right, errors_, errors_page_, tr("Errors"), [this] { fillErrors(); });
    addPage(right, error_map_->map(), error_map_, tr("Error map"), [this] { fillErrorMap(); });
    connect(error_map_, &ErrorMapPage::goToSource, this, &ChartArea::goToSource);
    connect(latency_page_, &CasePage::chosenChanged, this, [this] { makeStale({latency_}); });
    connect(errors_page_, &CasePage::chosenChanged, this, [this] { makeStale({errors_}); });
    connect(comparison_page_, &CasePage::chosenChanged, this, [this] { makeStale({comparison_}); });
    used_ = speedup_;
}

QTabWidget* ChartArea::addTabs() {
    auto* tabs = new QTabWidget;
    tabs->setDocumentMode(true);
    tabs->setAccessibleName(tr("Charts"));
    splitter_->addWidget(tabs);
    connect(tabs, &QTabWidget::currentChanged, this, [this, tabs](int /*index*/) {
        for (const Page& page : pages_) {
            if (page.widget == tabs->currentWidget()) used_ = page.chart;
        }
        filling_.start(0);
    });
    return tabs;
}

void ChartArea::addPage(QTabWidget* tabs, ChartView* chart, QWidget* widget, const QString& title,
                        std::function<void()> fill) {
    pages_.push_back({.chart = chart, .widget = widget, .fill = std::move(fill)});
    tabs->setTabToolTip(tabs->addTab(widget, title), chart->title());
    connect(chart, &ChartView::roundClicked, this, [this](int number) { session_.selectRound(number); });
    connect(chart, &ChartView::used, this, [this, chart] { used_ = chart; });
    connect(chart, &ChartView::failed, this, &ChartArea::report);
}

void ChartArea::placeSplitter() {
    splitter_->setStretchFactor(0, 1);
    splitter_->setStretchFactor(1, 1);
    splitter_->setSizes({1000, 1000});
    splitter_->restoreState(session_.settings().splitter("charts"));
    connect(splitter_, &QSplitter::splitterMoved, this,
            [this] { session_.settings().setSplitter("charts", splitter_->saveState()); });
}

void ChartArea::connectSession() {
    connect(&session_.document(), &ProjectDocument::opened, this, [this] {
        for (const Page& page : pages_) page.chart->forgetZoom();
        makeStale();
    });
    connect(&session_.rounds(), &RoundStore::changed, this, [this] { makeStale(); });
    connect(&session_.rounds(), &RoundStore::detailLoaded, this, [this](int number) {
        if (shownRound() != nullptr && shownRound()->number == number) {
            makeStale({roofline_, efficiency_, latency_, errors_, error_map_->map()});
        }
    });
    connect(&session_, &Session::selectedRoundChanged, this, &ChartArea::takeSelection);
    const auto take_device = [this] {
        if (shownRound() == nullptr) makeStale();
        else makeStale({roofline_, comparison_});
    };
    connect(&session_, &Session::variantChanged, this, take_device);
    connect(&session_.engine(), &Engine::devicesChanged, this, take_device);
    connect(&session_.engine(), &Engine::runFinished, this, &ChartArea::takeOutcome);
    connect(&session_.comparisons(), &Comparisons::changed, this, [this] { makeStale({comparison_}); });
}

void ChartArea::takeSelection() {
    for (const Page& page : pages_) page.chart->setSelectedRound(session_.selectedRound());
    wrong_.reset();
    makeStale({roofline_, efficiency_, latency_, errors_, error_map_->map()});
}

/// Takes the outcome of a run. Wrong results bring their map to the front, unless others are queued: somebody may be
/// reading meanwhile.
void ChartArea::takeOutcome(const RunOutcome& outcome) {
    if (session_.queue().isRunning()) return;
    const bool is_explained = outcome.detail.explanation.has_value();
    wrong_ = is_explained ? std::make_shared<const RoundDetail>(outcome.detail) : nullptr;
    makeStale({error_map_->map()});
    if (is_explained) bringToFront(error_map_);
}

void ChartArea::bringToFront(QWidget* page) {
    for (auto* tabs : splitter_->findChildren<QTabWidget*>()) {
        if (tabs->indexOf(page) >= 0) tabs->setCurrentWidget(page);
    }
}

void ChartArea::makeStale() {
    for (Page& page : pages_) page.stale = true;
    filling_.start(0);
}

void ChartArea::makeStale(const std::vector<ChartView*>& charts) {
    for (Page& page : pages_) page.stale = page.stale || std::ranges::contains(charts, page.chart);
    filling_.start(0);
}

/// Fills one chart that can be seen, and the next in another turn of the event loop.
void ChartArea::fillNext() {
    for (Page& page : pages_) {
        if (!page.stale || !page.widget->isVisible()) continue;
        page.stale = false;
        page.chart->setSelectedRound(session_.selectedRound());
        page.fill();
        return filling_.start(0);
    }
}

void ChartArea::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    filling_.start(0);
}

const Round* ChartArea::shownRound() const {
    const Round* selected = session_.selectedRound() ? session_.rounds().round(*session_.selectedRound()) : nullptr;
    return selected != nullptr ? selected : referenceRound(session_.rounds().history());
}

/// Why there is no round to show.
QString ChartArea::nothingText() const {
    return session_.rounds().isLoading() ? tr("Reading the rounds")
                                         : session_.adviceToRun(tr("No rounds yet: press F5 to verify and bench"));
}

/// A case's number, as in every chart: first come the rounds' cases, then the project's cases that have no round yet.
int ChartArea::numberOf(const Case& binding) const {
    Catalogue catalogue(session_.rounds().history());
    for (const Case& each : session_.document().project().cases) catalogue.caseNumber(each);
    return catalogue.caseNumber(binding);
}

void ChartArea::fillSpeedup() {
    if (shownRound() == nullptr) return speedup_->showMessage(nothingText());
    speedup_->present(session_.rounds().sharedHistory());
}

/// The ceilings that were measured when the round was made, or else those known of its device now.
Ceilings ChartArea::ceilingsOf(const Round& round) {
    const auto detail = session_.rounds().detail(round.number);
    if (detail && detail->ceilings.measured()) return detail->ceilings;
    return toQt(round.device) == session_.device() ? session_.ceilings() : Ceilings{};
}

void ChartArea::fillRoofline() {
    const Round* round = shownRound();
    if (round == nullptr) return roofline_->showMessage(nothingText());
    roofline_->present(session_.rounds().sharedHistory(), round->device, ceilingsOf(*round), round->number);
}

void ChartArea::fillEfficiency() {
    const Round* round = shownRound();
    if (round == nullptr) return efficiency_->showMessage(nothingText());
    const auto detail = session_.rounds().detail(round->number);
    const auto history = session_.rounds().sharedHistory();
    efficiency_->present(history, detail ? std::shared_ptr<const Round>(detail, &detail->round)
                                         : std::shared_ptr<const Round>(history, round));
}

/// The full record of the round that is shown; null where there is none yet, which the chart then says.
std::shared_ptr<const RoundDetail> ChartArea::shownDetail(ChartView* chart) {
    const Round* round = shownRound();
    if (round == nullptr) {
        chart->showMessage(nothingText());
        return nullptr;
    }
    std::shared_ptr<const RoundDetail> detail = session_.rounds().detail(round->number);
    const QString problem = session_.rounds().detailProblem(round->number);
    if (!detail) chart->showMessage(problem.isEmpty() ? tr("Reading round %1").arg(round->number) : problem);
    return detail;
}

void ChartArea::fillLatency() {
    const auto detail = shownDetail(latency_);
    QStringList names;
    for (const BenchResult& each : detail ? detail->timings : std::vector<BenchResult>{}) {
        names << toQt(each.binding.name);
    }
    latency_page_->offer(names);
    if (!detail) return;
    if (names.isEmpty()) {
        return latency_->showMessage(tr("Round %1 was not timed: %2. Choose another in the rounds or in a chart")
                                         .arg(detail->round.number)
                                         .arg(word(detail->round.status)));
    }
    const BenchResult& timing = detail->timings[static_cast<std::size_t>(latency_page_->chosen())];
    latency_->present(timing, toQt(detail->candidate.variant.name), numberOf(timing.binding));
}

void ChartArea::fillErrors() {
    const auto detail = shownDetail(errors_);
    QStringList names;
    for (const CaseAccuracy& each : detail ? detail->verification.cases : std::vector<CaseAccuracy>{}) {
        names << checkText(each);
    }
    errors_page_->offer(names);
    if (!detail) return;
    if (names.isEmpty()) {
        return errors_->showMessage(tr("Round %1 was not verified: %2. Choose another in the rounds or in a chart")
                                        .arg(detail->round.number)
                                        .arg(word(detail->round.status)));
    }
    const CaseAccuracy& accuracy = detail->verification.cases[static_cast<std::size_t>(errors_page_->chosen())];
    errors_->present(accuracy, numberOf(accuracy.binding));
}

void ChartArea::fillErrorMap() {
    if (wrong_) return error_map_->present(wrong_);
    const Round* round = shownRound();
    if (round == nullptr) return error_map_->showMessage(nothingText());
    const auto detail = session_.rounds().detail(round->number);
    const QString problem = session_.rounds().detailProblem(round->number);
    if (detail) return error_map_->present(detail);
    error_map_->showMessage(problem.isEmpty() ? tr("Reading round %1").arg(round->number) : problem);
}

void ChartArea::fillComparison() {
    const auto comparison = session_.comparisons().of(session_.device());
    QStringList names;
    for (const Case& each : comparison ? comparison->cases : std::vector<Case>{}) names << caseText(each);
    comparison_page_->offer(names);
    if (names.isEmpty()) {
        return comparison_->showMessage(
            session_.adviceToRun(tr("No comparison on %1 yet: press F6 to verify and time all variants side by side")
                                     .arg(session_.device())));
    }
    const auto place = static_cast<std::size_t>(comparison_page_->chosen());
    comparison_->present(comparedCases(*comparison, place), toQt(comparison->baseline), describe(*comparison),
                         numberOf(comparison->cases[place]));
}

void ChartArea::showComparison() { bringToFront(comparison_page_); }

/// The chart that was used last or, where its tab is behind another now, the first that can be seen.
ChartView& ChartArea::current() {
    if (used_->isVisible()) return *used_;
    const auto visible = std::ranges::find_if(pages_, [](const Page& page) { return page.widget->isVisible(); });
    return visible == pages_.end() ? *used_ : *visible->chart;
}

void ChartArea::report(const QString& problem) {
    if (!problem.isEmpty()) session_.log().add(Severity::error, problem);
}

void ChartArea::fit() { current().fit(); }

void ChartArea::copy() { copyPicture(current()); }

void ChartArea::saveAs() { report(askAndSavePicture(current())); }

void ChartArea::toggleLegend() { current().setLegendShown(!current().isLegendShown()); }

}  // namespace kernelgen::studio
