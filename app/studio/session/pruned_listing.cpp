// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/session/pruned_listing.h"

#include <QtConcurrentRun>
#include <utility>

#include "app/studio/application/engine_words.h"

namespace kernelgen::studio {

PrunedListing::PrunedListing(ProjectDocument& document, Tunings& tunings) : document_(document), tunings_(tunings) {
    connect(&tunings_, &Tunings::changed, this, [this] {
        const std::shared_ptr<const Tuning> shown = tunings_.shown();
        if (!shown || shown->head.number != number_) forget();
    });
    connect(&document_, &ProjectDocument::opened, this, &PrunedListing::forget);
    connect(&document_, &ProjectDocument::changed, this, [this] {
        if (!why_none_.isEmpty()) forget();  // an edit, or its undo, may have changed that
    });
}

void PrunedListing::forget() {
    delete std::exchange(generation_, nullptr);
    number_ = 0;
    listed_.reset();
    why_none_.clear();
    emit changed();
}

void PrunedListing::ask() {
    const std::shared_ptr<const Tuning> shown = tunings_.shown();
    if (!document_.isOpen() || !shown || shown->head.number == number_) return;
    number_ = shown->head.number;
    generation_ = new QObject(this);
    const auto job = [project = document_.project(), head = shown->head]() -> Listed {
        Result<PrunedCase> pruned = pruned_by_tuning(project, head, most_of_each);
        if (!pruned) return {nullptr, inWords(pruned.error().message)};
        return {std::make_shared<const PrunedCase>(std::move(*pruned)), {}};
    };
    QtConcurrent::run(job).then(generation_, [this](const Listed& listed) {
        listed_ = listed.pruned;
        why_none_ = listed.why_none;
        emit changed();
    });
}

}  // namespace kernelgen::studio
