// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QComboBox;
class QLabel;

namespace kernelgen::studio {

/// A chart of one case, below a list in which the user chooses the case.
class CasePage : public QWidget {
    Q_OBJECT

public:
    explicit CasePage(QWidget* chart, QWidget* parent = nullptr);

    /// Sets the cases to choose from, and keeps the chosen one where it is among them. The list is hidden where it is
    /// empty.
    void offer(const QStringList& names);
    /// Says what is chosen from the list, where that is no case.
    void setLabel(const QString& label, const QString& tip);
    int chosen() const;  ///< index of what was offered, or -1

signals:
    void chosenChanged();  ///< by the user

private:
    QWidget* bar_ = nullptr;
    QComboBox* cases_ = nullptr;
    QLabel* label_ = nullptr;
};

}  // namespace kernelgen::studio
