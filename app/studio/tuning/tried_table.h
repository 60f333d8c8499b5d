// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "app/studio/tuning/tried_model.h"
#include "app/studio/tuning/tuning_table.h"

namespace kernelgen::studio {

/// The results of a tuning as a table. A click or a key chooses a row.
class TriedTable : public TuningTable {
    Q_OBJECT

public:
    explicit TriedTable(QWidget* parent = nullptr);

    /// Null: nothing, or what a tuning that runs has not found yet.
    void present(const std::shared_ptr<const Tuning>& tuning, bool runs);
    void select(std::optional<std::size_t> tried);
    QString whatFillsIt() const override;

signals:
    void chosen(int tried);  ///< by the user

protected:
    void changeEvent(QEvent* event) override;

private:
    TriedModel model_;
    std::shared_ptr<const Tuning> tuning_;
    bool selecting_ = false, runs_ = false;
};

}  // namespace kernelgen::studio
