// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QWidget>
#include <optional>

#include "app/studio/session/session.h"

namespace kernelgen::studio {

/// A form for what the selected round taught, as the log prints it. Its button records the text; so does whatever ends
/// the writing: the selection of another round, another project, focus that goes elsewhere, a window that closes.
class LessonsForm : public QWidget {
    Q_OBJECT

public:
    explicit LessonsForm(Session& session, QWidget* parent = nullptr);

    void save();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void saveWhatIsWritten();
    QPlainTextEdit* addField(const QString& name, const QString& hint);
    void showRound();
    void showLessons();
    void updateButton();
    Lessons recorded() const;
    Lessons written() const;  ///< what differs from what is recorded, empty elsewhere

    Session& session_;
    std::optional<int> round_;
    QString folder_;  ///< of the project that has the round
    QPlainTextEdit *worked_, *failed_, *next_;
    QPushButton* save_;
    QLabel* problem_;
};

}  // namespace kernelgen::studio
