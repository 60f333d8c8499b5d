// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/session/rules.h"

#include <QtConcurrentRun>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/text.h"
#include "core/files/in_step.h"
#include "core/round/history.h"
#include "core/tuning/rule_adoption.h"

namespace kernelgen::studio {

namespace {

using Texts = std::map<std::string, std::string>;

/// The project with the rules, and the texts of the files that then differ.
Result<std::pair<Project, Texts>> adopted(const Project& project, const Texts& texts, const RuleProposal& proposal) {
    Validated<Project> ruled = with_rules(project, proposal);
    if (!ruled) return fail(to_string(ruled.error()));
    if (!is_stated_in_files(*ruled, proposal)) return std::pair(std::move(*ruled), Texts());
    Validated<BroughtInStep> step = brought_in_step(*ruled, texts, false);
    if (!step) return fail(to_string(step.error()));
    ruled->variants = std::move(step->variants);
    return std::pair(std::move(*ruled), std::move(step->texts));
}

}  // namespace

Rules::Rules(ProjectDocument& document, Tunings& tunings, Engine& engine, RunLog& log)
    : document_(document), tunings_(tunings), engine_(engine), log_(log) {
    connect(&tunings_, &Tunings::changed, this, [this] {
        proposal_.reset();
        why_none_.clear();
        propose();
        emit changed();
    });
    connect(&document_, &ProjectDocument::saved, this, &Rules::propose);
}

void Rules::propose() {
    delete std::exchange(generation_, new QObject(this));
    const std::shared_ptr<const Tuning> shown = tunings_.shown();
    if (!document_.isOpen() || !shown || !shown->outcome || shown->head.cases.size() < 2) return;
    const auto job = [project = document_.project(), number = shown->head.number]() -> Proposed {
        const Result<std::vector<Tuning>> tunings = tunings_of_command(project.folder, number);
        if (!tunings) return {};  // it has not ended: there is nothing to explain yet
        Result<RuleProposal> proposal = proposed_rules(project, *tunings);
        if (!proposal) return {nullptr, inWords(proposal.error().message)};
        return {std::make_shared<const RuleProposal>(std::move(*proposal)), {}};
    };
    QtConcurrent::run(job).then(generation_, [this](const Proposed& proposed) {
        proposal_ = proposed.proposal;
        why_none_ = proposed.why_none;
        emit changed();
    });
}

bool Rules::areInForce() const { return proposal_ && is_in_force(document_.project(), *proposal_); }

Result<void> Rules::adopt(double timeout_seconds) {
    if (!proposal_) return fail(tr("There are no rules to adopt").toStdString());
    if (engine_.isRunning()) return fail(tr("Something runs: wait for its end, or stop it (Ctrl+.)").toStdString());
    const std::shared_ptr<const RuleProposal> proposal = proposal_;  // saving asks for it again
    if (const Result<void> saved = document_.save(); !saved) return saved;
    Validated<RunPlan> plan = run_with_rules(document_.project(), *proposal);
    if (!plan) return fail(to_string(plan.error()));
    plan->options.timeout_seconds = timeout_seconds;
    under_verification_ = Verified{proposal, document_.project(), document_.texts()};
    log_.add(Severity::information,
             tr("Verify the rules of %1 on %2").arg(toQt(proposal->variant), toQt(proposal->device)));
    engine_.startVerification(std::move(*plan));
    return {};
}

void Rules::take(const RunOutcome& verification) {
    const std::optional<Verified> verified = std::exchange(under_verification_, std::nullopt);
    if (!verified) return;
    if (!verification.problem.isEmpty() || verification.detail.round.status != Status::ok)
        return log_.add(Severity::error, tr("The rules were not adopted: the project is as it was"));
    if (isEdited(*verified)) return tellEdited();
    write(*verified);
}

bool Rules::isEdited(const Verified& since) const {
    return document_.project() != since.project || document_.texts() != since.texts;
}

void Rules::tellEdited() {
    log_.add(Severity::error, tr("The rules were not adopted: the project was edited meanwhile"));
}

void Rules::write(const Verified& verified) {
    const auto job = [verified] { return adopted(verified.project, verified.texts, *verified.proposal); };
    QtConcurrent::run(job).then(this, [this, verified](const Result<std::pair<Project, Texts>>& made) {
        if (made && isEdited(verified)) return tellEdited();
        Result<void> done = made ? Result<void>() : std::unexpected(made.error());
        if (made) {
            document_.replace(tr("adopt rules of tuning %1").arg(verified.proposal->tunings.front()), made->first,
                              made->second);
            done = document_.save();
        }
        log_.add(done ? Severity::success : Severity::error,
                 done ? tr("Adopted the rules of tuning %1").arg(verified.proposal->tunings.front())
                      : tr("The rules were not adopted: %1").arg(inWords(done.error().message)));
    });
}

}  // namespace kernelgen::studio
