// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "app/studio/session/session.h"

class QComboBox;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace kernelgen::studio {

class TuningCharts;
class TuningSetup;

/// Finds the best configuration: what is tuned, how it goes, and what came of it.
class TuningPanel : public QWidget {
    Q_OBJECT

public:
    explicit TuningPanel(Session& session, QWidget* parent = nullptr);

    void start();            ///< a new tuning
    void pauseOrContinue();  ///< the one that runs, or the last one
    void decide();           ///< ends the search of the one that runs
    void adopt();            ///< the chosen configuration, or else the recommended one

protected:
    void changeEvent(QEvent* event) override;

private:
    QWidget* buttons();
    QPushButton* add(const QString& text, const QString& name, void (TuningPanel::*act)());
    void connectSession();
    void placeState(bool tuning);
    void refresh();
    void updateButtons();
    void showState(const QString& text);
    void fillTunings();
    void openInSliders();
    const Configuration* configurationToAdopt() const;
    void applyPalette();

    Session& session_;
    QVBoxLayout* rows_ = nullptr;
    QHBoxLayout* buttons_ = nullptr;
    TuningSetup* setup_;
    TuningCharts* charts_;
    QPushButton *start_ = nullptr, *pause_ = nullptr, *stop_ = nullptr, *adopt_ = nullptr;
    QComboBox* tunings_;
    QLabel* state_;
};

}  // namespace kernelgen::studio
