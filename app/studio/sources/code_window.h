// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <map>
#include <string>

#include "app/studio/session/session.h"

class QComboBox;
class QLabel;
class QPlainTextEdit;

namespace kernelgen::studio {

/// What the variant as it stands compiles to, read-only: PTX, and of Triton what comes before it. It follows the builds
/// while it is open.
class CodeWindow : public QDialog {
    Q_OBJECT

public:
    explicit CodeWindow(Session& session, QWidget* parent = nullptr);
    ~CodeWindow() override;

private:
    void takeOutcome(const BuildOutcome& outcome);
    void showText();
    void display(const QString& state, const QString& text);

    Session& session_;
    QComboBox* kind_;
    QLabel* state_;
    QPlainTextEdit* text_;
    std::map<std::string, std::string> texts_;  ///< of the last build that had any, by kind
};

}  // namespace kernelgen::studio
