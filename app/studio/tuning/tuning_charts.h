// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/studio/session/session.h"

class QComboBox;
class QSplitter;
class QTabWidget;

namespace kernelgen::studio {

class HeatMapView;
class ParetoView;
class ScatterView;
class TriedTable;
class TuningView;

/// The charts and the table of the tuning that is shown, in two tab areas. While it runs, what can be seen follows a
/// few times a second.
class TuningCharts : public QWidget {
    Q_OBJECT

public:
    explicit TuningCharts(Session& session, QWidget* parent = nullptr);

    std::optional<std::size_t> selected() const { return selected_; }  ///< of `Tuning::tried`
    void select(std::optional<std::size_t> tried);

signals:
    void selectedChanged();               ///< by the user
    void failed(const QString& problem);  ///< a picture that could not be written

protected:
    void showEvent(QShowEvent* event) override;

private:
    /// A part in its tab. It is filled when it is visible and out of date.
    struct Page {
        QWidget* widget = nullptr;
        std::function<void()> fill;
        bool stale = true;
    };
    QTabWidget* addTabs();
    void makePages();
    void addChart(QTabWidget* tabs, TuningView* chart, const QString& title, QWidget* choice = nullptr);
    void addPruned(QTabWidget* tabs);
    QWidget* axisChoice();
    QWidget* pairChoice();
    QWidget* costChoice();
    void placeSplitter();
    void takeTuning();
    void offerParameters();
    void choosePair();
    void chooseCost(int index);
    void makeStale(int milliseconds);
    void fillNext();
    void choose(int tried);

    Session& session_;
    QSplitter* splitter_;
    std::vector<Page> pages_;
    std::vector<TuningView*> charts_;
    ScatterView* scatter_ = nullptr;
    HeatMapView* heat_map_ = nullptr;
    ParetoView* pareto_ = nullptr;
    TriedTable* table_ = nullptr;
    QComboBox *axis_ = nullptr, *across_ = nullptr, *up_ = nullptr, *cost_ = nullptr;
    QTimer filling_;
    std::shared_ptr<const Tuning> tuning_;
    std::vector<Tunable> offered_;  ///< parameters to choose from
    std::optional<std::size_t> selected_;
    bool pair_chosen_ = false;  ///< whether the user chose the heat map's tunables; else the two that matter most
};

}  // namespace kernelgen::studio
