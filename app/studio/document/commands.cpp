// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/document/commands.h"

#include <QCoreApplication>

#include "app/studio/document/project_document.h"

namespace kernelgen::studio {

ProjectCommand::ProjectCommand(ProjectDocument& document, const QString& text, Project before, Project after,
                               QString mergeKey)
    : QUndoCommand(text),
      document_(document),
      before_(std::move(before)),
      after_(std::move(after)),
      merge_key_(std::move(mergeKey)) {}

void ProjectCommand::undo() { document_.take(before_); }

void ProjectCommand::redo() { document_.take(after_); }

bool ProjectCommand::mergeWith(const QUndoCommand* later) {
    const auto* other = static_cast<const ProjectCommand*>(later);  // same id, so the same class
    if (merge_key_.isEmpty() || other->merge_key_ != merge_key_) return false;
    after_ = other->after_;
    setText(other->text());
    setObsolete(after_ == before_);
    return true;
}

TunableCommand::TunableCommand(ProjectDocument& document, const QString& text, Project before, Project after,
                               QString mergeKey)
    : QUndoCommand(text),
      document_(document),
      before_(std::move(before)),
      after_(std::move(after)),
      merge_key_(std::move(mergeKey)) {}

void TunableCommand::setEdits(SourceFile& source, std::vector<TextEdit> edits, bool joined) {
    source_ = &source;
    edits_ = std::move(edits);
    joined_ = joined;
}

void TunableCommand::undo() {
    if (source_ && hasEdits()) source_->document().undo();
    document_.take(before_);
}

/// The stack calls it at once when it is pushed: only then is the text edited, later its own history has the edit.
void TunableCommand::redo() {
    if (source_ && hasEdits()) {
        if (done_) source_->document().redo();
        else document_.editOwn(*source_, edits_, joined_);
    }
    done_ = true;
    document_.take(after_);
}

bool TunableCommand::mergeWith(const QUndoCommand* later) {
    const auto* other = static_cast<const TunableCommand*>(later);  // same id, so the same class
    if (!takes(other->merge_key_) || hasEdits() != other->hasEdits()) return false;
    after_ = other->after_;
    setText(other->text());
    setObsolete(!hasEdits() && after_ == before_);
    return true;
}

TextCommand::TextCommand(QTextDocument& text)
    : QUndoCommand(QCoreApplication::translate("TextCommand", "edit of the source")), text_(&text) {}

void TextCommand::undo() {
    if (text_) text_->undo();
    done_ = false;
}

/// The stack calls it at once when it is pushed: then the text has been edited already.
void TextCommand::redo() {
    if (text_ && !done_) text_->redo();
    done_ = true;
}

}  // namespace kernelgen::studio
