// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <memory>

#include "app/studio/document/project_document.h"
#include "app/studio/session/tunings.h"
#include "core/tuning/pruned_list.h"

namespace kernelgen::studio {

/// The configurations that the shown tuning never tries, each with its reason. Another thread lists them, once somebody
/// asks: in a large space this takes seconds. Lives in the GUI thread.
class PrunedListing : public QObject {
    Q_OBJECT

public:
    static constexpr std::size_t most_of_each = 1000;  ///< configurations that are listed for one reason

    PrunedListing(ProjectDocument& document, Tunings& tunings);

    void ask();
    std::shared_ptr<const PrunedCase> listed() const { return listed_; }  ///< null while they are not known
    QString whyNone() const { return why_none_; }                         ///< "" where nothing went wrong

signals:
    void changed();

private:
    struct Listed {
        std::shared_ptr<const PrunedCase> pruned;
        QString why_none;
    };
    void forget();

    ProjectDocument& document_;
    Tunings& tunings_;
    std::shared_ptr<const PrunedCase> listed_;
    QString why_none_;
    int number_ = 0;                 ///< of the tuning that was asked for; 0: none
    QObject* generation_ = nullptr;  ///< dies with what is shown: answers about something else are dropped
};

}  // namespace kernelgen::studio
