// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/studio/operator/form_field.h"
#include "app/studio/operator/project_table.h"

class QTableView;
class QToolButton;

namespace kernelgen::studio {

/// A table of the project: Insert adds a row, Delete removes it, Alt+Up and Alt+Down move it; so do its buttons.
class TableField : public FormField {
    Q_OBJECT

public:
    TableField(ProjectDocument& document, std::unique_ptr<const TableContent> content, QWidget* parent = nullptr);

    ProjectTable& table() { return *table_; }
    QTableView& view() { return *view_; }
    /// The buttons, for the caption of the table; null where its rows are fixed.
    QWidget* buttons() { return buttons_; }

    QString name() const override { return table_->content().title(); }
    void refresh() override {}  ///< the table follows the document itself
    void setDiagnostics(const Diagnostics& own) override;
    void goTo(const std::string& where) override;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void makeView();
    void makeButtons();
    void fit();
    void fitHeight();
    void fitColumns();
    void updateButtons();
    void applyPalette();
    void add();
    void remove();
    void move(int by);
    void select(int row, int column);

    ProjectTable* table_;
    QTableView* view_;
    QWidget* buttons_ = nullptr;
    QToolButton *add_ = nullptr, *remove_ = nullptr, *up_ = nullptr, *down_ = nullptr;
};

}  // namespace kernelgen::studio
