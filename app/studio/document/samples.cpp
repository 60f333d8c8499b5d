// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/document/samples.h"

#include <QDir>
#include <QFileInfo>

#include "app/studio/document/source_sets.h"
#include "core/base/file.h"
#include "core/project/project_file.h"

namespace kernelgen::studio {

QStringList samples() {
    const QDir folder(QString::fromStdString((resource_folder() / "projects").string()));
    QStringList found;
    for (const QString& name : folder.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
        if (QFileInfo::exists(folder.filePath(name + "/project.json"))) found << folder.filePath(name);
    }
    return found;
}

Result<QString> copyOfSample(const QString& sample, const QString& parent) {
    const QString target = parent + "/" + QFileInfo(sample).fileName();
    if (QFileInfo::exists(target + "/project.json")) return target;
    if (!QDir().mkpath(target)) return fail("cannot make the folder " + target.toStdString());
    Validated<Project> project = load_project(sample.toStdString());
    if (!project) return fail(to_string(project.error()));
    for (const Variant& variant : project->variants) {
        for (const std::string& file : filesOf(variant)) {
            const Result<std::string> text = read_file(project->folder / file);
            if (!text) return fail(text.error().message);
            const auto written = write_file_atomic(target.toStdString() + "/" + file, *text);
            if (!written) return fail(written.error().message);
        }
    }
    project->folder = target.toStdString();
    if (const Result<void> saved = save_project(*project); !saved) return fail(saved.error().message);
    return target;
}

}  // namespace kernelgen::studio
