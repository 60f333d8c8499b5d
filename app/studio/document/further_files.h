// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>
#include <map>
#include <string>
#include <vector>

#include "core/project/source_files.h"

namespace kernelgen::studio {

class ProjectDocument;

/// The project's files that variants are built of beside their sources, with texts as edited. What a source includes is
/// looked for again soon after it has changed. Lives in the GUI thread.
class FurtherFiles : public QObject {
    Q_OBJECT

public:
    explicit FurtherFiles(ProjectDocument& document, QObject* parent = nullptr);

    /// All files of a variant with their texts. Errors: a file that cannot be taken.
    Result<SourceFiles> of(const Variant& variant) const;
    /// Those of a variant that are shown, at most a hundred, as `find` last found them.
    const std::vector<std::string>& names(const Variant& variant) const;
    /// Looks for the files of all variants; whether there are others than before. Where a file cannot be taken, those
    /// that were known stay.
    bool find();

signals:
    void stale();  ///< a source has changed: `find` may find others

private:
    ProjectDocument& document_;
    std::map<std::string, std::vector<std::string>> names_;  ///< by variant
    QTimer settle_;
};

}  // namespace kernelgen::studio
