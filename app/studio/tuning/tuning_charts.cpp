// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/tuning/tuning_charts.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "app/studio/application/text.h"
#include "app/studio/tuning/best_view.h"
#include "app/studio/tuning/heat_map_view.h"
#include "app/studio/tuning/importance_view.h"
#include "app/studio/tuning/parallel_view.h"
#include "app/studio/tuning/pareto_view.h"
#include "app/studio/tuning/pruned_page.h"
#include "app/studio/tuning/scatter_view.h"
#include "app/studio/tuning/tried_table.h"
#include "core/tune/importance.h"
#include "core/tune/objective.h"

namespace kernelgen::studio {

namespace {

constexpr int between_fillings = 250;  ///< milliseconds, while results come

QComboBox* choiceBox(const QString& name, const QString& tip) {
    auto* box = new QComboBox;
    box->setObjectName(name);
    box->setToolTip(tip);
    box->setAccessibleName(tip);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(8);
    return box;
}

bool asksForEnergy(const TuningHead& head) {
    const Result<Objective> objective = parse_objective(head.objective);
    return objective && objective->energy > 0;
}

/// What stands above a chart: the boxes share the width.
QWidget* choiceBar(std::initializer_list<QWidget*> parts) {
    auto* line = new QWidget;
    auto* row = new QHBoxLayout(line);
    row->setContentsMargins(6, 2, 6, 0);
    for (QWidget* each : parts) row->addWidget(each, qobject_cast<QComboBox*>(each) == nullptr ? 0 : 1);
    return line;
}

}  // namespace

TuningCharts::TuningCharts(Session& session, QWidget* parent)
    : QWidget(parent), session_(session), splitter_(new QSplitter(Qt::Horizontal)) {
    splitter_->setChildrenCollapsible(false);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins({});
    row->addWidget(splitter_);
    filling_.setSingleShot(true);
    connect(&filling_, &QTimer::timeout, this, &TuningCharts::fillNext);
    makePages();
    placeSplitter();
    connect(&session_.tunings(), &Tunings::changed, this, &TuningCharts::takeTuning);
    connect(&session_.tunings(), &Tunings::grew, this, [this] { makeStale(between_fillings); });
    connect(&session_.engine(), &Engine::runningChanged, this, [this] { makeStale(0); });
    takeTuning();
}

QTabWidget* TuningCharts::addTabs() {
    auto* tabs = new QTabWidget;
    tabs->setDocumentMode(true);
    tabs->setAccessibleName(tr("Charts of the tuning"));
    splitter_->addWidget(tabs);
    connect(tabs, &QTabWidget::currentChanged, this, [this] { filling_.start(0); });
    return tabs;
}

void TuningCharts::makePages() {
    scatter_ = new ScatterView;
    heat_map_ = new HeatMapView;
    pareto_ = new ParetoView;
    QTabWidget* left = addTabs();
    addChart(left, new BestView, tr("Best so far"));
    addChart(left, scatter_, tr("All configurations"), axisChoice());
    addChart(left, heat_map_, tr("Heat map"), pairChoice());
    QTabWidget* right = addTabs();
    table_ = new TriedTable;
    pages_.push_back({.widget = table_, .fill = [this] {
                          table_->present(tuning_, session_.engine().isTuning());
                          table_->select(selected_);
                      }});
    right->addTab(table_, tr("Table"));
    addPruned(right);
    addChart(right, pareto_, tr("Pareto"), costChoice());
    addChart(right, new ParallelView, tr("Parallel"));
    addChart(right, new ImportanceView, tr("Importance"));
    connect(table_, &TriedTable::chosen, this, &TuningCharts::choose);
}

void TuningCharts::addChart(QTabWidget* tabs, TuningView* chart, const QString& title, QWidget* choice) {
    QWidget* page = chart;
    if (choice != nullptr) {
        page = new QWidget;
        auto* column = new QVBoxLayout(page);
        column->setContentsMargins({});
        column->setSpacing(0);
        column->addWidget(choice);
        column->addWidget(chart, 1);
    }
    charts_.push_back(chart);
    pages_.push_back({.widget = page, .fill = [this, chart] {
                          chart->setSelectedRow(selected_ ? std::optional(static_cast<int>(*selected_)) : std::nullopt);
                          chart->present(tuning_);
                      }});
    tabs->setTabToolTip(tabs->addTab(page, title), chart->title());
    connect(chart, &ChartView::rowClicked, this, &TuningCharts::choose);
    connect(chart, &ChartView::failed, this, &TuningCharts::failed);
}

void TuningCharts::addPruned(QTabWidget* tabs) {
    auto* page = new PrunedPage(session_);
    pages_.push_back({.widget = page, .fill = [page] { page->fill(); }});
    tabs->setTabToolTip(tabs->addTab(page, tr("Pruned")), tr("Configurations that are never tried, and why"));
    connect(&session_.prunedListing(), &PrunedListing::changed, this, [this] { makeStale(0); });
}

QWidget* TuningCharts::axisChoice() {
    axis_ = choiceBox("scatter_axis", tr("What the horizontal axis shows"));
    connect(axis_, &QComboBox::activated, this, [this](int index) {
        scatter_->setAxis(index - 1);
        makeStale(0);
    });
    return choiceBar({new QLabel(tr("Over")), axis_});
}

QWidget* TuningCharts::pairChoice() {
    across_ = choiceBox("heat_map_across", tr("The tunable from left to right"));
    up_ = choiceBox("heat_map_up", tr("The tunable from bottom to top"));
    for (QComboBox* each : {across_, up_}) {
        connect(each, &QComboBox::activated, this, [this] {
            pair_chosen_ = true;
            heat_map_->setAxes(across_->currentIndex(), up_->currentIndex());
            makeStale(0);
        });
    }
    return choiceBar({across_, new QLabel(QStringLiteral("×")), up_});
}

QWidget* TuningCharts::costChoice() {
    cost_ = choiceBox("pareto_cost", tr("What the time is weighed against"));
    cost_->addItems({tr("Memory"), tr("Energy")});
    connect(cost_, &QComboBox::activated, this, &TuningCharts::chooseCost);
    return choiceBar({new QLabel(tr("Time against")), cost_});
}

void TuningCharts::chooseCost(int index) {
    cost_->setCurrentIndex(index);
    pareto_->setCost(index == 0 ? &Tried::memory_bytes : &Tried::energy_joules);
    makeStale(0);
}

void TuningCharts::placeSplitter() {
    splitter_->setStretchFactor(0, 1);
    splitter_->setStretchFactor(1, 1);
    splitter_->setSizes({1000, 1000});
    splitter_->restoreState(session_.settings().splitter("tuning"));
    connect(splitter_, &QSplitter::splitterMoved, this,
            [this] { session_.settings().setSplitter("tuning", splitter_->saveState()); });
}

void TuningCharts::takeTuning() {
    const std::shared_ptr<const Tuning> shown = session_.tunings().shown();
    if (shown != tuning_) {
        tuning_ = shown;
        selected_.reset();
        for (TuningView* each : charts_) each->forgetZoom();
        chooseCost(tuning_ && asksForEnergy(tuning_->head) ? 1 : 0);
    }
    offerParameters();
    makeStale(0);
}

void TuningCharts::offerParameters() {
    const std::vector<Tunable> parameters = tuning_ ? tuning_->head.parameters : std::vector<Tunable>();
    if (parameters == offered_) return;
    offered_ = parameters;
    pair_chosen_ = false;
    axis_->clear();
    axis_->addItem(tr("Order"));
    across_->clear();
    up_->clear();
    for (const Tunable& each : parameters) {
        for (QComboBox* box : {axis_, across_, up_}) box->addItem(toQt(each.name));
    }
    scatter_->setAxis(-1);
    choosePair();
}

/// The two tunables that matter most or, where that is not known yet, the first two.
void TuningCharts::choosePair() {
    if (pair_chosen_ || offered_.size() < 2) return;
    std::vector<int> pair;
    const std::optional<Importance> importance = tuning_ ? importance_of(*tuning_) : std::nullopt;
    if (importance) {
        for (const Importance::OfTunable& each : importance->tunables)
            pair.push_back(across_->findText(toQt(each.name)));
    }
    for (int i = 0; i < 2; ++i) {
        if (pair.size() < 2 && !std::ranges::contains(pair, i)) pair.push_back(i);
    }
    if (across_->currentIndex() == pair[0] && up_->currentIndex() == pair[1]) return;
    across_->setCurrentIndex(pair[0]);
    up_->setCurrentIndex(pair[1]);
    heat_map_->setAxes(pair[0], pair[1]);
}

void TuningCharts::makeStale(int milliseconds) {
    for (Page& each : pages_) each.stale = true;
    if (!filling_.isActive()) filling_.start(milliseconds);
}

/// Fills one part that can be seen, and the next in another turn of the event loop.
void TuningCharts::fillNext() {
    for (Page& page : pages_) {
        if (!page.stale || !page.widget->isVisible()) continue;
        page.stale = false;
        if (page.widget->isAncestorOf(heat_map_)) choosePair();
        page.fill();
        return filling_.start(0);
    }
}

void TuningCharts::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    filling_.start(0);
}

void TuningCharts::select(std::optional<std::size_t> tried) {
    selected_ = tried;
    const std::optional<int> row = tried ? std::optional(static_cast<int>(*tried)) : std::nullopt;
    for (TuningView* each : charts_) each->setSelectedRow(row);
    if (table_->isVisible()) table_->select(tried);
}

void TuningCharts::choose(int tried) {
    select(static_cast<std::size_t>(tried));
    emit selectedChanged();
}

}  // namespace kernelgen::studio
