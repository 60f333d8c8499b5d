// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/gate/gate_file.h"
#include "core/gate/gate_history.h"

namespace kernelgen::studio {

/// The gate of one variant on one device: what is stored, and its last 100 checks.
struct Gate {
    std::optional<StoredBaseline> stored;
    std::vector<GateCheck> checks;  ///< oldest first
    QString problem;                ///< what cannot be read of `gate.json` and `gate.jsonl`; "" otherwise
};

/// The gate of the chosen variant on the device. Other threads read and write the files. Lives in the GUI thread.
class Gates : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// Chooses the variant and device whose gate is shown; an empty folder: none.
    void show(const QString& folder, const QString& variant, const QString& device);
    void reload();

    /// Null: it is being read, or there is no project.
    const std::shared_ptr<const Gate>& gate() const { return gate_; }

    void store(int round);   ///< makes a recorded round the stored baseline of its variant and device
    void storeThresholds();  ///< those of the last check

signals:
    void changed();
    void told(const QString& message, bool is_problem);  ///< what came of `store` or `storeThresholds`

private:
    void write(std::function<Result<QString>()> work);

    QString folder_, variant_, device_;
    std::shared_ptr<const Gate> gate_;
    QObject* generation_ = nullptr;  ///< dies with what is shown: answers about something else are dropped
};

}  // namespace kernelgen::studio
