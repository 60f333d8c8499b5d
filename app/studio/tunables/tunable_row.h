// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

#include "core/project/variant.h"

class QCheckBox;
class QLabel;

namespace kernelgen::studio {

class AllowedSpinBox;
class TunableSlider;
class ValueChecks;

/// One tunable: its name, the best round's value, a spin box and a slider over what is allowed.
class TunableRow : public QWidget {
    Q_OBJECT

public:
    explicit TunableRow(const Tunable& tunable, QWidget* parent = nullptr);

    void setValue(std::int64_t value);
    /// The value of the best round; nothing where there is none, or where it did not have this tunable.
    void setBest(std::optional<std::int64_t> value);
    /// Which values take part in a tuning, each of the allowed ones; `is_tuned`: whether the tunable does at all.
    void setChoice(bool is_tuned, const std::vector<bool>& take_part);
    void setChoiceShown(bool shown);
    QWidget* lastField() const;  ///< in the order of the tab key

signals:
    void chosen(qint64 value);
    void tunedChosen(bool tuned);
    void partChosen(qint64 value, bool takes_part);

private:
    QWidget* firstLine(const QString& name);
    void choose(int index);
    void showCorrection(const QString& typed);

    std::vector<std::int64_t> values_;
    AllowedSpinBox* box_;
    TunableSlider* slider_;
    QLabel *best_, *correction_;
    QCheckBox* tuned_;
    ValueChecks* checks_;
};

}  // namespace kernelgen::studio
