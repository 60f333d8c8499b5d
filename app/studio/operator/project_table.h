// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <map>

#include "app/studio/document/project_document.h"
#include "app/studio/operator/table_content.h"

namespace kernelgen::studio {

/// A part of the open project as a table whose edits are undoable. It follows the document.
class ProjectTable : public QAbstractTableModel {
    Q_OBJECT

public:
    static constexpr int ProblemRole = Qt::UserRole;  ///< what is wrong with a cell, or ""

    ProjectTable(ProjectDocument& document, std::unique_ptr<const TableContent> content, QObject* parent = nullptr);

    const TableContent& content() const { return *content_; }
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

    int add(int after);  ///< the new row's number; -1: the table has fixed rows
    void remove(int row);
    int move(int row, int by);  ///< its new place

    /// Marks the cells of the diagnostics that are of this table.
    void setProblems(const Diagnostics& own);
    std::optional<CellPlace> placeOf(const std::string& where) const;

signals:
    void refused(const QString& why);  ///< a text that cannot stand in its cell; "" once one could

private:
    void follow();
    void fitRows(const std::vector<CellRow>& rows);
    const Cell* cellAt(const QModelIndex& index) const;

    ProjectDocument& document_;
    std::unique_ptr<const TableContent> content_;
    QStringList headers_;
    std::vector<CellRow> rows_;
    std::map<CellPlace, QString> problems_;
};

}  // namespace kernelgen::studio
