// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <functional>

#include "app/studio/session/session.h"

class QLabel;
class QPushButton;
class QScrollArea;

namespace kernelgen::studio {

class BestComparison;
class BuildCard;
class TunableRow;

/// A slider for each tunable of the variant under work, with what the build of the configuration costs.
class TunablesPanel : public QWidget {
    Q_OBJECT

public:
    explicit TunablesPanel(Session& session, QWidget* parent = nullptr);

    void resetToProject();  ///< the values that are saved
    void takeBest();        ///< the values of the best round on this device

signals:
    void goToSource(const QString& file, int line, int column);  ///< the place of a build's error was clicked
    void settingsWanted();                                       ///< to name an interpreter

protected:
    void changeEvent(QEvent* event) override;

private:
    QScrollArea* tuning();
    QWidget* buttons();
    void refresh();
    void makeRows(const Variant* variant);
    QString emptyState() const;
    void showRules();
    void showRestriction();
    void showLiterals();
    void takeLiterals(bool from_source);
    void showBest();
    void showChoices();
    void applyPalette();
    void take(const QString& text, const Configuration& configuration);

    Session& session_;
    QLabel *empty_, *rules_, *restriction_, *literals_;
    QWidget *tuning_, *rows_box_ = nullptr;
    QPushButton *best_, *reset_;
    BestComparison* comparison_;
    BuildCard* build_;
    std::string rows_of_;  ///< the variant that has the rows
    std::vector<Tunable> tunables_;
    std::vector<TunableRow*> rows_;
};

}  // namespace kernelgen::studio
