// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSpinBox>
#include <cstdint>
#include <vector>

namespace kernelgen::studio {

/// The index of the value that is nearest to a number; of two as near, the lower. `values` is ascending and not empty.
int nearestIndex(const std::vector<std::int64_t>& values, double number);

/// Steps through allowed values alone; its `value` is the index of one. What is typed and not allowed becomes the
/// nearest that is.
class AllowedSpinBox : public QSpinBox {
    Q_OBJECT

public:
    explicit AllowedSpinBox(std::vector<std::int64_t> values, QWidget* parent = nullptr);

    const std::vector<std::int64_t>& values() const { return values_; }

signals:
    /// An edit has ended: `typed` is what was typed where that is not allowed, else empty.
    void corrected(const QString& typed);

protected:
    QString textFromValue(int index) const override;
    int valueFromText(const QString& text) const override;
    QValidator::State validate(QString& text, int& position) const override;
    void fixup(QString& text) const override;
    void wheelEvent(QWheelEvent* event) override;

private:
    bool isAllowed(const QString& text) const;

    std::vector<std::int64_t> values_;
    QString typed_;
};

}  // namespace kernelgen::studio
