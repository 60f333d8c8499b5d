// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QWidget>

#include "app/studio/session/session.h"
#include "app/studio/tuning/pruned_model.h"
#include "app/studio/tuning/tuning_table.h"

namespace kernelgen::studio {

/// The configurations that the shown tuning never tries, each with its reason. They are listed when the page is shown.
class PrunedPage : public QWidget {
    Q_OBJECT

public:
    explicit PrunedPage(Session& session, QWidget* parent = nullptr);

    void fill();

private:
    class Table : public TuningTable {
    public:
        explicit Table(PrunedPage& page) : page_(page) {
            takeModel(page.model_);
            sortByColumn(-1, Qt::AscendingOrder);
        }
        QString whatFillsIt() const override { return page_.whatFillsIt(); }

    private:
        PrunedPage& page_;
    };
    QString whatFillsIt() const;

    Session& session_;
    PrunedModel model_;
    QLabel* count_;
    Table* table_ = nullptr;
};

}  // namespace kernelgen::studio
