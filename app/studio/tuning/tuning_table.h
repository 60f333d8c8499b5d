// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>

namespace kernelgen::studio {

/// A table of a tuning's configurations, which can be copied for a spreadsheet. Without rows it says what would fill
/// it.
class TuningTable : public QTableView {
    Q_OBJECT

public:
    explicit TuningTable(QWidget* parent = nullptr);

    virtual QString whatFillsIt() const = 0;  ///< what stands in its place while it has no rows

protected:
    void takeModel(QAbstractItemModel& model);  ///< which must outlive it
    void paintEvent(QPaintEvent* event) override;

private:
    void widenToHeaders();
    void copy() const;
};

}  // namespace kernelgen::studio
