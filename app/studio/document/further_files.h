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

/// The project's files of which variants are built besides their sources, with texts as edited. They are searched again
/// soon after a source has changed. Lives in the GUI thread.
class FurtherFiles : public QObject {
    Q_OBJECT

public:
    explicit FurtherFiles(ProjectDocument& document, QObject* parent = nullptr);

    /// All files of a variant with their texts. Errors: a file that cannot be taken.
    Result<SourceFiles> of(const Variant& variant) const;
    /// The files of a variant that are shown, at most a hundred, as of the last `find`.
    const std::vector<std::string>& names(const Variant& variant) const;
    /// Searches the files of all variants; returns whether the result has changed. Where a file cannot be used, the
    /// known files stay.
    bool find();

signals:
    void stale();  ///< a source has changed: `find` may find others

private:
    ProjectDocument& document_;
    std::map<std::string, std::vector<std::string>> names_;  ///< by variant
    QTimer settle_;
};

}  // namespace kernelgen::studio
