// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>
#include <functional>
#include <memory>
#include <vector>

#include "app/studio/session/session.h"

class QSplitter;
class QTabWidget;

namespace kernelgen::studio {

class CasePage;
class ChartView;
class ComparisonView;
class EfficiencyView;
class ErrorMapPage;
class ErrorView;
class LatencyView;
class RooflineView;
class SpeedupView;

/// The charts, in two tab areas. Actions apply to the chart that was used last.
class ChartArea : public QWidget {
    Q_OBJECT

public:
    explicit ChartArea(Session& session, QWidget* parent = nullptr);

    void fit();
    void copy();
    void saveAs();  ///< asks for a PNG, SVG or PDF file
    void toggleLegend();
    void showComparison();  ///< brings its chart to the front

signals:
    void goToSource(const QString& file, int line, int column);

protected:
    void showEvent(QShowEvent* event) override;

private:
    /// A chart in its tab. It is filled when it is visible and out of date.
    struct Page {
        ChartView* chart = nullptr;
        QWidget* widget = nullptr;
        std::function<void()> fill;
        bool stale = true;
    };
    void makePages();
    void addPage(QTabWidget* tabs, ChartView* chart, QWidget* widget, const QString& title, std::function<void()> fill);
    QTabWidget* addTabs();
    void connectSession();
    void placeSplitter();

    void makeStale();
    void makeStale(const std::vector<ChartView*>& charts);
    void fillNext();
    void takeSelection();
    void report(const QString& problem);
    ChartView& current();

    const Round* shownRound() const;
    QString nothingText() const;
    int numberOf(const Case& binding) const;
    std::shared_ptr<const RoundDetail> shownDetail(ChartView* chart);
    Ceilings ceilingsOf(const Round& round);
    void fillSpeedup();
    void fillRoofline();
    void fillEfficiency();
    void fillLatency();
    void fillErrors();
    void fillErrorMap();
    void takeOutcome(const RunOutcome& outcome);
    void bringToFront(QWidget* page);
    void fillComparison();

    Session& session_;
    QSplitter* splitter_ = nullptr;
    std::vector<Page> pages_;
    ChartView* used_ = nullptr;
    QTimer filling_;
    SpeedupView* speedup_ = nullptr;
    EfficiencyView* efficiency_ = nullptr;
    RooflineView* roofline_ = nullptr;
    LatencyView* latency_ = nullptr;
    ErrorView* errors_ = nullptr;
    CasePage* latency_page_ = nullptr;
    CasePage* errors_page_ = nullptr;
    ErrorMapPage* error_map_ = nullptr;
    std::shared_ptr<const RoundDetail> wrong_;  ///< the last run, where its results were wrong, until a round is chosen
    ComparisonView* comparison_ = nullptr;
    CasePage* comparison_page_ = nullptr;
};

}  // namespace kernelgen::studio
