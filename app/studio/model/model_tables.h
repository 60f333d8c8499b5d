// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSortFilterProxyModel>
#include <QWidget>
#include <memory>
#include <optional>

#include "app/studio/model/model_lines.h"

class QSplitter;
class QTabWidget;
class QTableView;
class QTextBrowser;

namespace kernelgen::studio {

/// A report's calls and its groups of neighbours, each as a table, with what is known of the chosen line.
class ModelTables : public QWidget {
    Q_OBJECT

public:
    explicit ModelTables(QWidget* parent = nullptr);

    void show(std::shared_ptr<const ModelReport> report);
    /// The calls of the chosen line, at the first of its places.
    std::optional<CallRange> calls() const;
    std::optional<std::size_t> row() const;  ///< of the profile; nothing where neighbours are chosen
    void choose(std::size_t row);

signals:
    void chosen();

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Table {
        QTableView* view;
        ModelLines lines;
        QSortFilterProxyModel sorted;
    };
    void make(Table& table, const QString& name, const QString& accessible);
    void setWidths(QTableView& view);
    const Table& shown() const;
    const ModelLine* line() const;
    void tellOfLine();
    void copy() const;
    void applyPalette();

    Table calls_, neighbours_;
    QTabWidget* tabs_;
    QTextBrowser* page_;
    std::shared_ptr<const ModelReport> report_;
};

}  // namespace kernelgen::studio
