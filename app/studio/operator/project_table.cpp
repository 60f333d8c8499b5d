// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/operator/project_table.h"

#include "app/studio/application/engine_words.h"
#include "app/studio/application/text.h"

namespace kernelgen::studio {

ProjectTable::ProjectTable(ProjectDocument& document, std::unique_ptr<const TableContent> content, QObject* parent)
    : QAbstractTableModel(parent), document_(document), content_(std::move(content)) {
    connect(&document_, &ProjectDocument::opened, this, &ProjectTable::follow);
    connect(&document_, &ProjectDocument::changed, this, &ProjectTable::follow);
    follow();
}

int ProjectTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int ProjectTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(headers_.size());
}

const Cell* ProjectTable::cellAt(const QModelIndex& index) const {
    if (!index.isValid() || index.row() >= rowCount() || index.column() >= columnCount()) return nullptr;
    return &rows_[static_cast<std::size_t>(index.row())][static_cast<std::size_t>(index.column())];
}

QVariant ProjectTable::data(const QModelIndex& index, int role) const {
    const Cell* cell = cellAt(index);
    if (cell == nullptr) return {};
    if (role == Qt::DisplayRole) return cell->text.isEmpty() ? cell->placeholder : cell->text;
    if (role == Qt::EditRole) return cell->text;
    if (role != ProblemRole && role != Qt::ToolTipRole) return {};
    const auto problem = problems_.find({index.row(), index.column()});
    return problem == problems_.end() ? QVariant() : problem->second;
}

QVariant ProjectTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role != Qt::DisplayRole || orientation != Qt::Horizontal) {
        return QAbstractTableModel::headerData(section, orientation, role);
    }
    return headers_.value(section);
}

Qt::ItemFlags ProjectTable::flags(const QModelIndex& index) const {
    const Qt::ItemFlags plain = QAbstractTableModel::flags(index);
    return index.isValid() && content_->isEditable(index.column()) ? plain | Qt::ItemIsEditable : plain;
}

bool ProjectTable::setData(const QModelIndex& index, const QVariant& value, int role) {
    const Cell* cell = cellAt(index);
    if (role != Qt::EditRole || cell == nullptr || !content_->isEditable(index.column())) return false;
    QString problem;
    if (cell->text != value.toString()) {
        const QString step = tr("%1: %2").arg(content_->title(), headers_.value(index.column()));
        document_.edit(step, [&](Project& project) {
            Project edited = project;
            problem = content_->write(edited, {index.row(), index.column()}, value.toString());
            if (problem.isEmpty()) project = std::move(edited);
        });
    }
    emit refused(problem);
    return problem.isEmpty();
}

int ProjectTable::add(int after) {
    if (content_->hasFixedRows()) return -1;
    const int row = std::clamp(after + 1, 0, rowCount());
    document_.edit(tr("%1: add").arg(content_->title()), [&](Project& project) { content_->insert(project, row); });
    return row;
}

void ProjectTable::remove(int row) {
    if (content_->hasFixedRows() || row < 0 || row >= rowCount()) return;
    document_.edit(tr("%1: remove").arg(content_->title()), [&](Project& project) { content_->erase(project, row); });
}

int ProjectTable::move(int row, int by) {
    const int target = row + by;
    if (content_->hasFixedRows() || row < 0 || target < 0 || row >= rowCount() || target >= rowCount()) return row;
    document_.edit(tr("%1: move").arg(content_->title()),
                   [&](Project& project) { content_->exchange(project, row, target); });
    return target;
}

std::optional<CellPlace> ProjectTable::placeOf(const std::string& where) const {
    return content_->placeOf(document_.project(), where);
}

void ProjectTable::setProblems(const Diagnostics& own) {
    std::map<CellPlace, QString> problems;
    for (const Diagnostic& each : own) {
        const std::optional<CellPlace> place = placeOf(each.where);
        if (!place) continue;
        QString& text = problems[*place];
        text += (text.isEmpty() ? "" : "\n") + inWords(each.message);
    }
    if (problems == problems_) return;
    problems_ = std::move(problems);
    if (rows_.empty()) return;
    emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1), {ProblemRole, Qt::ToolTipRole});
}

void ProjectTable::follow() {
    const bool open = document_.isOpen();
    const QStringList headers = content_->headers(document_.project());
    std::vector<CellRow> rows = open ? content_->rows(document_.project()) : std::vector<CellRow>();
    if (headers != headers_) {
        beginResetModel();
        headers_ = headers;
        rows_ = std::move(rows);
        problems_.clear();
        endResetModel();
        return;
    }
    fitRows(rows);
    for (int row = 0; row < rowCount(); ++row) {
        const auto place = static_cast<std::size_t>(row);
        if (rows_[place] == rows[place]) continue;
        rows_[place] = std::move(rows[place]);
        emit dataChanged(index(row, 0), index(row, columnCount() - 1));
    }
}

/// Inserts or removes rows where old and new rows first differ, so that views keep their place.
void ProjectTable::fitRows(const std::vector<CellRow>& rows) {
    if (rows.size() == rows_.size()) return;
    const auto differs = std::ranges::mismatch(rows_, rows).in1;
    const auto first = differs - rows_.begin();
    const auto change = static_cast<std::ptrdiff_t>(rows.size()) - static_cast<std::ptrdiff_t>(rows_.size());
    if (change > 0) {
        beginInsertRows({}, static_cast<int>(first), static_cast<int>(first + change - 1));
        rows_.insert(differs, rows.begin() + first, rows.begin() + first + change);
        endInsertRows();
    } else {
        const auto begin = std::min(first, static_cast<std::ptrdiff_t>(rows.size()));
        beginRemoveRows({}, static_cast<int>(begin), static_cast<int>(begin - change - 1));
        rows_.erase(rows_.begin() + begin, rows_.begin() + begin - change);
        endRemoveRows();
    }
}

}  // namespace kernelgen::studio
