// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/consistency/consistency_check.h"

#include <QtConcurrentRun>
#include <algorithm>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/text.h"

namespace kernelgen::studio {

namespace {

constexpr int after_change = 400;  // milliseconds

QString inWords(const Step& step) {
    const QString file = toQt(step.file);
    switch (step.outcome) {
        case StepOutcome::written: return ConsistencyCheck::tr("%1 written again").arg(file);
        case StepOutcome::tunables: return ConsistencyCheck::tr("%1: tunables set").arg(file);
        default: return ConsistencyCheck::tr("%1 left alone: it was edited").arg(file);
    }
}

}  // namespace

ConsistencyCheck::ConsistencyCheck(ProjectDocument& document, QObject* parent) : QObject(parent), document_(document) {
    settle_.setSingleShot(true);
    settle_.setInterval(after_change);
    connect(&settle_, &QTimer::timeout, this, &ConsistencyCheck::ask);
    connect(&finding_, &QFutureWatcherBase::finished, this, &ConsistencyCheck::takeFound);
    connect(&stepping_, &QFutureWatcherBase::finished, this, &ConsistencyCheck::takeStep);
    connect(&document_, &ProjectDocument::opened, this, &ConsistencyCheck::forget);
    connect(&document_, &ProjectDocument::changed, this, &ConsistencyCheck::look);
    connect(&document_, &ProjectDocument::sourceEdited, this, &ConsistencyCheck::look);
}

void ConsistencyCheck::look() { settle_.start(); }

void ConsistencyCheck::forget() {
    found_.reset();
    problem_.clear();
    asked_ = {};
    look();
    emit changed();
}

void ConsistencyCheck::ask() {
    if (!document_.isOpen()) return;
    if (finding_.isRunning()) return look();
    std::pair now(document_.project(), document_.texts());
    if (now == asked_) return;
    asked_ = std::move(now);
    finding_.setFuture(QtConcurrent::run([asked = asked_] {
        return std::make_shared<const Result<Consistency>>(check_consistency(asked.first, asked.second));
    }));
}

void ConsistencyCheck::takeFound() {
    const Finding found = finding_.result();
    if (!document_.isOpen()) return;
    found_ = *found ? std::shared_ptr<const Consistency>(found, &**found) : nullptr;
    problem_ = *found ? QString() : inWords(found->error().message);
    emit changed();
}

void ConsistencyCheck::bringInStep() {
    if (!document_.isOpen() || isBringingInStep()) return;
    stepped_from_ = {document_.project(), document_.texts()};
    stepping_.setFuture(QtConcurrent::run([from = stepped_from_] {
        return std::make_shared<const Validated<BroughtInStep>>(brought_in_step(from.first, from.second, false));
    }));
}

void ConsistencyCheck::takeStep() {
    const Stepping step = stepping_.result();
    if (!*step) return emit stepped({}, toQt(step->error()));
    if (document_.project() != stepped_from_.first || document_.texts() != stepped_from_.second) {
        return emit stepped({}, tr("The project was edited meanwhile, so nothing was written"));
    }
    Project project = document_.project();
    project.variants = (*step)->variants;
    document_.replace(tr("bring in step"), project, (*step)->texts);
    QStringList done;
    for (const Step& each : (*step)->steps) done << inWords(each);
    look();
    emit stepped(done, {});
}

}  // namespace kernelgen::studio
