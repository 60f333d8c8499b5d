// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "app/studio/session/session.h"

class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QTableWidget;

namespace kernelgen::studio {

class ElidedLabel;
class TrendView;

/// The gate of the chosen variant on the device: what is stored, recording and checking it, the cases of a check with
/// their verdicts, and the trend of the last 100 checks.
class GateWindow : public QDialog {
    Q_OBJECT

public:
    explicit GateWindow(Session& session, QWidget* parent = nullptr);

    void check();

protected:
    void changeEvent(QEvent* event) override;

private:
    QPushButton* add(const QString& text, const char* id, void (GateWindow::*act)());
    QWidget* makeActions();
    void makeTable();
    void connectSession();
    void tell(const QString& message, bool is_problem = true);
    void record();
    void storeSelected();
    void keepThresholds();
    void stop();
    void refresh();
    void showCheck();
    void fillRow(int row, const GatedCase& checked);
    void updateButtons();
    QString storedText() const;
    QString verdictText(const GateCheck& check) const;
    QColor colourOf(const GatedCase& checked) const;
    const GateCheck* shownCheck() const;

    Session& session_;
    QLabel *stored_, *told_, *verdict_;
    ElidedLabel* stage_;
    QDoubleSpinBox* threshold_;
    QPushButton *check_ = nullptr, *record_ = nullptr, *store_ = nullptr, *keep_ = nullptr, *stop_ = nullptr;
    QTableWidget* table_;
    TrendView* trend_;
    bool told_problem_ = true;
    std::optional<int> chosen_;  ///< place of the check that is shown; nothing: the last
};

}  // namespace kernelgen::studio
