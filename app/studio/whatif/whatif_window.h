// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QFutureWatcher>
#include <map>
#include <memory>
#include <vector>

#include "app/studio/session/session.h"
#include "core/whatif/forecast.h"

class QDoubleSpinBox;
class QLabel;
class QTableWidget;

namespace kernelgen::studio {

/// What the selected round's kernel would take on a device with another share of some resources, predicted for each
/// timed case of the round. Nothing runs. A selected round that was not timed counts as none: then it is the newest
/// that was.
class WhatifWindow : public QDialog {
    Q_OBJECT

public:
    explicit WhatifWindow(Session& session, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    /// What was read of the round, and its cases elsewhere. The base serves the next question about the same round.
    struct Answer {
        std::shared_ptr<const Result<ForecastBase>> base;
        Result<std::vector<CasePrediction>> cases;
    };
    using Job = std::shared_ptr<const Answer>;

    QWidget* makeShares();
    void makeTable();
    void read();
    void ask();
    void take();
    void fillRow(int row, const CasePrediction& predicted);
    void offerResources(const QString& device);
    void showThreads();
    Factors factors() const;
    std::optional<int> wantedRound() const;
    void applyPalette();

    Session& session_;
    QLabel *what_, *model_, *problem_, *threads_;
    std::map<Resource, QDoubleSpinBox*> shares_;
    QTableWidget* table_;
    std::shared_ptr<const Result<ForecastBase>> base_;  ///< null: it is yet to be read
    QFutureWatcher<Job> answer_;
};

}  // namespace kernelgen::studio
