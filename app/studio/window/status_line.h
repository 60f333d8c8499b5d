// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <functional>

class QLabel;
class QPushButton;
class QStatusBar;

namespace kernelgen::studio {

/// The line at the foot of the window: what has just happened, and as a button what can be done about it.
class StatusLine : public QObject {
    Q_OBJECT

public:
    explicit StatusLine(QStatusBar& bar);

    void tell(const QString& message);
    /// Shows a matter that the user can do something about, with a button that does it. It stays until that is done, or
    /// until `withdraw`.
    void offer(const QString& what, const QString& text, const QString& tip, const std::function<void()>& act);
    void withdraw();

private:
    QStatusBar& bar_;
    QLabel* what_;
    QPushButton* offer_;
    QString told_;  ///< the last message, whole
};

}  // namespace kernelgen::studio
