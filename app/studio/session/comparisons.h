// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <vector>

#include "core/round/comparison.h"

namespace kernelgen::studio {

/// The last comparison of each device in the open project, and the present one with its results so far. Another thread
/// reads files. Lives in the GUI thread.
class Comparisons : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// Reads the comparisons of the project in `folder`, or none for "". A comparison that is set meanwhile is newer
    /// than the one that is read.
    void setFolder(const QString& folder);

    /// The comparison of a device; null where there is none.
    std::shared_ptr<const Comparison> of(const QString& device) const;
    /// Replaces the comparison of its device.
    void take(std::shared_ptr<const Comparison> comparison);

signals:
    void changed();

private:
    std::vector<std::shared_ptr<const Comparison>> all_;
    QObject* generation_ = nullptr;  ///< dies with the project: answers of an older one are dropped
};

}  // namespace kernelgen::studio
