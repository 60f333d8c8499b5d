// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QPlainTextEdit>
#include <QTimer>
#include <QToolButton>
#include <QWidget>

#include "app/studio/session/session.h"

namespace kernelgen::studio {

/// What happened in this session, line by line. It follows the newest while its end is in sight.
class RunLogPanel : public QWidget {
    Q_OBJECT

public:
    explicit RunLogPanel(Session& session, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    void makeBar();
    void clear();
    void restart();
    void append();
    void write(QTextCursor& cursor, const LogEntry& entry) const;
    void applyPalette();

    Session& session_;
    QPlainTextEdit* text_;
    QComboBox* least_;
    QToolButton *copy_, *clear_;
    QTimer soon_;                 ///< many lines are written in slices
    std::size_t next_ = 0;        ///< entry to be written, counted from the session's first
    std::size_t shown_from_ = 0;  ///< what was before has been cleared
};

}  // namespace kernelgen::studio
