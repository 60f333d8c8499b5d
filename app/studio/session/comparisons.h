// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <vector>

#include "core/round/comparison.h"

namespace kernelgen::studio {

/// The last comparison of each device that the open project keeps, and the one under way as far as it has come. Reading
/// is done in another thread. Lives in the GUI thread.
class Comparisons : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// Reads those of the project in `folder`, or of none for "". What is taken meanwhile is newer than what is read.
    void setFolder(const QString& folder);

    /// Of a device; null without any.
    std::shared_ptr<const Comparison> of(const QString& device) const;
    /// Takes the place of the one before it on its device.
    void take(std::shared_ptr<const Comparison> comparison);

signals:
    void changed();

private:
    std::vector<std::shared_ptr<const Comparison>> all_;
    QObject* generation_ = nullptr;  ///< dies with the project: answers of an older one are dropped
};

}  // namespace kernelgen::studio
