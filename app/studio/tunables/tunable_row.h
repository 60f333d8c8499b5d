// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

#include "core/project/variant.h"

class QLabel;

namespace kernelgen::studio {

class AllowedSpinBox;
class TunableSlider;

/// One tunable: its name, the best round's value, a spin box and a slider over what is allowed.
class TunableRow : public QWidget {
    Q_OBJECT

public:
    explicit TunableRow(const Tunable& tunable, QWidget* parent = nullptr);

    void setValue(std::int64_t value);
    /// The value of the best round; nothing where there is none, or where it did not have this tunable.
    void setBest(std::optional<std::int64_t> value);
    QWidget* lastField() const;  ///< in the order of the tab key

signals:
    void chosen(qint64 value);

private:
    QWidget* firstLine(const QString& name);
    void choose(int index);
    void showCorrection(const QString& typed);

    std::vector<std::int64_t> values_;
    AllowedSpinBox* box_;
    TunableSlider* slider_;
    QLabel *best_, *correction_;
};

}  // namespace kernelgen::studio
