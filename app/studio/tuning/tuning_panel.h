// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "app/studio/session/session.h"

class QComboBox;
class QLabel;
class QPushButton;

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
    void showRules();        ///< that are proposed for several cases; adopts them where the user says so

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* buttons();
    QPushButton* add(const QString& text, const QString& name, void (TuningPanel::*act)());
    void connectSession();
    void refresh();
    void placeOptions();
    void chooseOptions();
    void updateButtons();
    void updateRules();
    void showState(const QString& text);
    void fillTunings();
    void openInSliders();
    const Configuration* configurationToAdopt() const;
    void applyPalette();

    Session& session_;
    TuningSetup* setup_;
    TuningCharts* charts_;
    QPushButton *start_ = nullptr, *pause_ = nullptr, *stop_ = nullptr, *adopt_ = nullptr, *rules_ = nullptr,
                *options_ = nullptr;
    bool options_chosen_ = false;  ///< by the user: shown, or not
    QComboBox* tunings_;
    QLabel* state_;
};

}  // namespace kernelgen::studio
