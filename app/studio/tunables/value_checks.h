// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <cstdint>
#include <vector>

class QCheckBox;

namespace kernelgen::studio {

class TunableSlider;

/// A check box below each value of a slider: whether the value takes part in a tuning. Where the values stand too close
/// together, the boxes stand in lines.
class ValueChecks : public QWidget {
    Q_OBJECT

public:
    /// `slider` must outlive it.
    ValueChecks(const QString& name, const std::vector<std::int64_t>& values, const TunableSlider& slider,
                QWidget* parent = nullptr);

    void setChecked(const std::vector<bool>& checked);
    QWidget* lastBox() const;
    QSize sizeHint() const override { return {0, heightForWidth(width())}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

signals:
    void chosen(qint64 value, bool takes_part);  ///< by the user

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QSize boxSize() const;
    bool fitBelowTicks(int width) const;

    const TunableSlider& slider_;
    std::vector<QCheckBox*> boxes_;
};

}  // namespace kernelgen::studio
