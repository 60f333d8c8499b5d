// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QComboBox;

namespace kernelgen::studio {

/// A chart of one case at a time, below the choice of it.
class CasePage : public QWidget {
    Q_OBJECT

public:
    explicit CasePage(QWidget* chart, QWidget* parent = nullptr);

    /// Offers these, keeping the one that is chosen where it is among them. The choice is hidden where there is none.
    void offer(const QStringList& names);
    int chosen() const;  ///< index of what was offered, or -1

signals:
    void chosenChanged();  ///< by the user

private:
    QWidget* bar_ = nullptr;
    QComboBox* cases_ = nullptr;
};

}  // namespace kernelgen::studio
