// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSpinBox>
#include <cstdint>
#include <vector>

namespace kernelgen::studio {

/// The index of the value nearest to a number; of two equally near ones, the lower. `values` is ascending and not
/// empty.
int nearestIndex(const std::vector<std::int64_t>& values, double number);

/// A spin box over allowed values only; its `value` is the index of one. A typed number that is not allowed becomes the
/// nearest allowed one.
class AllowedSpinBox : public QSpinBox {
    Q_OBJECT

public:
    explicit AllowedSpinBox(std::vector<std::int64_t> values, QWidget* parent = nullptr);

    const std::vector<std::int64_t>& values() const { return values_; }

signals:
    /// Emitted after an edit: `typed` is the typed number where it was not allowed, else empty.
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
