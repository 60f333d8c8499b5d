// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QWidget>
#include <optional>

#include "app/studio/session/session.h"

namespace kernelgen::studio {

/// A form for what the selected round taught, as the log prints it. Its button records the text; so does the selection
/// of another round.
class LessonsForm : public QWidget {
    Q_OBJECT

public:
    explicit LessonsForm(Session& session, QWidget* parent = nullptr);

    void save();

private:
    QPlainTextEdit* addField(const QString& name, const QString& hint);
    void showRound();
    void showLessons();
    void updateButton();
    Lessons recorded() const;
    Lessons written() const;  ///< what differs from what is recorded, empty elsewhere

    Session& session_;
    std::optional<int> round_;
    QPlainTextEdit *worked_, *failed_, *next_;
    QPushButton* save_;
    QLabel* problem_;
};

}  // namespace kernelgen::studio
