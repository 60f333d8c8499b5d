// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "app/studio/session/session.h"

class QLabel;
class QTableWidget;

namespace kernelgen::studio {

/// The best round of the variant on the device for the project as it is now (`best_round`), or null.
const Round* bestRound(Session& session);

/// Compares the present configuration with that of the best round.
class BestComparison : public QWidget {
    Q_OBJECT

public:
    explicit BestComparison(Session& session, QWidget* parent = nullptr);

    void refresh();

private:
    void makeTable();
    void fillRow(int row, const Tunable& tunable, const Round& best);

    Session& session_;
    QLabel* heading_;
    QTableWidget* table_;
};

}  // namespace kernelgen::studio
