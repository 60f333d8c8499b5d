// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <map>
#include <string>
#include <vector>

#include "core/backend/build.h"

namespace kernelgen::studio {

/// What the compiler last said of each source of the open project. Lives in the GUI thread.
class BuildMessages : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// All messages, by source in alphabetical order, in the compiler's order. `file` is never empty: a message without
    /// a file belongs to the source that was built, with `line` 0.
    std::vector<CompilerMessage> all() const;

    /// Replaces the messages of the last build of `source`. A build that did not reach the compiler (cancelled,
    /// restricted, unavailable) changes nothing. `further` are the other files of which it was built.
    void take(const std::string& source, const BuildResult& result, const std::vector<std::string>& further = {});
    /// Takes the reason of a run whose build failed; its further lines are "FILE:LINE:COLUMN: TEXT". "" for a run
    /// without a failed build. It applies to files for which no later build has reported messages.
    void takeRun(const std::string& reason);
    void clear();

signals:
    void changed();

private:
    using BySource = std::map<std::string, std::vector<CompilerMessage>>;
    BySource of_builds_, of_run_;
};

}  // namespace kernelgen::studio
