// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "app/studio/session/session.h"

class QLabel;
class QPlainTextEdit;

namespace kernelgen::studio {

/// The PTX of the CUDA variant as it stands, read-only; it follows the builds while it is open.
class PtxWindow : public QDialog {
    Q_OBJECT

public:
    explicit PtxWindow(Session& session, QWidget* parent = nullptr);
    ~PtxWindow() override;

private:
    void takeOutcome(const BuildOutcome& outcome);
    void display(const QString& state, const QString& text);

    Session& session_;
    QLabel* state_;
    QPlainTextEdit* text_;
};

}  // namespace kernelgen::studio
