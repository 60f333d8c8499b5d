// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QObject>
#include <QStringList>
#include <QThreadPool>
#include <QTimer>
#include <map>
#include <optional>
#include <string>

#include "app/studio/document/project_document.h"
#include "core/base/file.h"

namespace kernelgen::studio {

/// Keeps unsaved changes for the case of a crash. While a document is modified, a copy of its project and edited
/// sources is stored outside the project's folder; it is removed when the document is saved or closed. A copy that a
/// crashed studio left is offered when its project is opened again, and stays until it is restored or discarded.
class Recovery : public QObject {
    Q_OBJECT

public:
    /// Copies lie in `folder` (made where it is missing), and are at most `delay` milliseconds behind the edits.
    Recovery(ProjectDocument& document, QString folder, int delay = 3000, QObject* parent = nullptr);
    ~Recovery() override;  ///< an orderly end: takes the copy away

    struct Copy {
        QDateTime time;
        Project project;
        std::map<std::string, std::string> texts;  ///< of the edited sources, by file
    };
    /// The copy that was found for the open project.
    const std::optional<Copy>& offer() const { return offer_; }
    void restore();  ///< the offer, as one undoable step
    void discard();  ///< the offer

signals:
    void offerChanged();
    void warned(const QString& why);

private:
    void look();
    void schedule();
    void write();
    void removeOwn();
    bool begin();  ///< the folder and the mark that this program lives
    QString prefix() const;
    std::optional<Copy> read(const QString& file) const;

    ProjectDocument& document_;
    QString folder_, token_, own_;
    std::optional<FileLock> alive_;
    QTimer timer_;
    QThreadPool writer_;
    QStringList offered_;  ///< files
    std::optional<Copy> offer_;
};

}  // namespace kernelgen::studio
