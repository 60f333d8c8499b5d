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

    /// All, by source in alphabetical order and as the compiler gave them. `file` is never empty: what names no file is
    /// said of the source that was built; `line` is then 0.
    std::vector<CompilerMessage> all() const;

    /// What a build of `source` said takes the place of what the one before it said. A build that did not reach the
    /// compiler (cancelled, restricted, unavailable) changes nothing. `further` are the other files that it was built
    /// of.
    void take(const std::string& source, const BuildResult& result, const std::vector<std::string>& further = {});
    /// What a run reported of a build that failed: a reason whose further lines are "FILE:LINE:COLUMN: TEXT"; "" for a
    /// run whose builds did not. It counts for files of which no build has told since.
    void takeRun(const std::string& reason);
    void clear();

signals:
    void changed();

private:
    using BySource = std::map<std::string, std::vector<CompilerMessage>>;
    BySource of_builds_, of_run_;
};

}  // namespace kernelgen::studio
