// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QIcon>
#include <QPalette>
#include <vector>

#include "app/studio/session/run_log.h"

namespace kernelgen::studio {

/// One thing that is wrong now, and where.
struct Problem {
    Severity severity = Severity::error;
    QString message;
    QString suggestion;        ///< what to do, or ""
    QString where;             ///< of the definition: a JSON path or a place in the body; else ""
    QString file;              ///< of a source; else ""
    int line = 0, column = 0;  ///< within `file`, from 1; 0 where they are not known

    bool operator==(const Problem&) const = default;
};

/// Problems as rows, in the order given.
class ProblemsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Kind, Message, Place, Suggestion };
    static constexpr int column_count = Suggestion + 1;

    using QAbstractTableModel::QAbstractTableModel;

    void setProblems(std::vector<Problem> problems);
    void setPalette(const QPalette& palette);
    const std::vector<Problem>& problems() const { return problems_; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<Problem> problems_;
    QIcon error_, warning_, note_;
};

}  // namespace kernelgen::studio
