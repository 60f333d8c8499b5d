// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QTextDocument>
#include <QUndoCommand>

#include "core/project/project.h"

namespace kernelgen::studio {

class ProjectDocument;

/// One project in place of another.
class ProjectCommand : public QUndoCommand {
public:
    ProjectCommand(ProjectDocument& document, const QString& text, Project before, Project after, QString mergeKey);

    void undo() override;
    void redo() override;
    int id() const override { return 1; }
    bool mergeWith(const QUndoCommand* later) override;

private:
    ProjectDocument& document_;
    Project before_, after_;
    QString merge_key_;
};

/// An edit that the text of a source already holds in its own history.
class TextCommand : public QUndoCommand {
public:
    explicit TextCommand(QTextDocument& text);

    void undo() override;
    void redo() override;

private:
    QPointer<QTextDocument> text_;
    bool done_ = true;
};

}  // namespace kernelgen::studio
