// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/reports/problems_model.h"

#include "app/studio/theme/icons.h"
#include "app/studio/theme/theme.h"

namespace kernelgen::studio {

namespace {

QString wordOf(Severity severity) {
    switch (severity) {
        case Severity::error: return ProblemsModel::tr("Error");
        case Severity::warning: return ProblemsModel::tr("Warning");
        default: return ProblemsModel::tr("Note");
    }
}

QString placeOf(const Problem& problem) {
    if (problem.file.isEmpty()) return problem.where;
    if (problem.line == 0) return problem.file;
    const QString line = problem.file + ":" + QString::number(problem.line);
    return problem.column == 0 ? line : line + ":" + QString::number(problem.column);
}

}  // namespace

void ProblemsModel::setProblems(std::vector<Problem> problems) {
    if (problems == problems_) return;
    beginResetModel();
    problems_ = std::move(problems);
    endResetModel();
}

void ProblemsModel::setPalette(const QPalette& palette) {
    const Colours colours = coloursOf(palette);
    error_ = dot(colours.bad);
    warning_ = dot(colours.warning);
    note_ = dot(colours.accent);
    if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, column_count - 1));
}

int ProblemsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(problems_.size());
}

int ProblemsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : column_count; }

QVariant ProblemsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const Problem& problem = problems_[static_cast<std::size_t>(index.row())];
    if (role == Qt::DecorationRole && index.column() == Kind) {
        return problem.severity == Severity::error ? error_ : problem.severity == Severity::warning ? warning_ : note_;
    }
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
    switch (index.column()) {
        case Kind: return wordOf(problem.severity);
        case Message: return role == Qt::ToolTipRole ? problem.message : problem.message.simplified();
        case Place: return placeOf(problem);
        default: return problem.suggestion;
    }
}

QVariant ProblemsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    switch (section) {
        case Kind: return tr("Kind");
        case Message: return tr("Problem");
        case Place: return tr("Place");
        default: return tr("What to do");
    }
}

}  // namespace kernelgen::studio
