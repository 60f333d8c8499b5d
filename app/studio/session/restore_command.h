// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QUndoCommand>
#include <optional>

#include "app/studio/session/session.h"

namespace kernelgen::studio {

/// Marks that a variant was restored to a round, which is then the parent of its next round; undo restores the earlier
/// mark.
class RestoreCommand : public QUndoCommand {
public:
    RestoreCommand(Session& session, std::string variant, int round)
        : session_(session), variant_(std::move(variant)), round_(round) {}

    void redo() override {
        const auto known = session_.restored_.find(variant_);
        before_ = known == session_.restored_.end() ? std::nullopt : std::optional(known->second);
        session_.restored_[variant_] = round_;
    }

    void undo() override {
        if (before_) session_.restored_[variant_] = *before_;
        else session_.restored_.erase(variant_);
    }

private:
    Session& session_;
    std::string variant_;
    int round_;
    std::optional<int> before_;
};

}  // namespace kernelgen::studio
