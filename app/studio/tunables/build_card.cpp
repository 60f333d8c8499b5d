// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/tunables/build_card.h"

#include <QEvent>
#include <QFormLayout>
#include <QLabel>
#include <QLocale>
#include <QVBoxLayout>
#include <algorithm>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/metric_words.h"
#include "app/studio/application/selectable.h"
#include "app/studio/application/text.h"
#include "app/studio/theme/theme.h"
#include "app/studio/tunables/background_build.h"

namespace kernelgen::studio {

namespace {

constexpr int tick_milliseconds = 100;  // a build from the cache is shown before the first

struct Row {
    QString name, value, tip;
};

/// How many blocks and warps share a multiprocessor, in words. A number that the build does not tell is 0.
QString residents(const BuildResult& result) {
    const auto number = [&](const Metric& metric) {
        const auto found = result.resources.find(metric.name);
        return QLocale().toString(found == result.resources.end() ? 0 : found->second);
    };
    return BuildCard::tr("%1 blocks of %2 threads share a multiprocessor: %3 warps")
        .arg(number(metrics::blocks_per_multiprocessor), number(metrics::threads_per_block),
             number(metrics::active_warps));
}

/// What the build costs, in the order in which one looks at it; what it does not tell has no row.
std::vector<Row> rowsOf(const BuildResult& result) {
    std::vector<Row> rows;
    for (const Metric& metric :
         {metrics::registers, metrics::spill_store_bytes, metrics::spill_load_bytes, metrics::static_shared_bytes,
          metrics::dynamic_shared_bytes, metrics::num_warps, metrics::num_stages, metrics::occupancy}) {
        const auto found = result.resources.find(metric.name);
        if (found == result.resources.end()) continue;
        rows.push_back({titleOf(metric), valueOf(metric, found->second), meaningOf(metric)});
    }
    const QString limiter = limiterInWords(result.occupancy_limiter);
    if (!limiter.isEmpty()) rows.push_back({titleOfLimiter(), limiter, residents(result)});
    return rows;
}

/// Why the resources of a Python source are not known: it was read but not run.
QString unknownText(Language language, const QString& device) {
    if (language == Language::torch) return BuildCard::tr("PyTorch compiles it, if at all, when it runs.");
    if (!device.startsWith(QLatin1String("cuda"))) {
        return BuildCard::tr(
            "Read, not compiled: the interpreter runs it here. Registers, spills and shared memory are "
            "known on a CUDA device only.");
    }
    return BuildCard::tr(
               "Read, not compiled: registers, spills and shared memory are known once it has been built or "
               "run on %1 (Ctrl+B, F5).")
        .arg(device);
}

QString warnings(const BuildResult& result) {
    const auto count = std::ranges::count(result.messages, "warning", &CompilerMessage::severity);
    if (count == 0) return {};
    return count == 1 ? BuildCard::tr(", 1 warning") : BuildCard::tr(", %1 warnings").arg(count);
}

}  // namespace

BuildCard::BuildCard(Session& session, QWidget* parent)
    : QWidget(parent), session_(session), mark_(new QLabel("●")), state_(new QLabel), resources_(new QWidget) {
    auto* layout = new QVBoxLayout(this);
    auto* title = new QLabel(tr("Build"));
    QFont bold = title->font();
    bold.setBold(true);
    title->setFont(bold);
    auto* line = new QHBoxLayout;
    line->addWidget(mark_, 0, Qt::AlignTop);
    line->addWidget(state_, 1);
    rows_ = new QFormLayout(resources_);
    rows_->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(title);
    layout->addLayout(line);
    layout->addWidget(resources_);
    state_->setObjectName("build_state");
    state_->setAccessibleName(tr("State of the build"));
    state_->setTextFormat(Qt::RichText);
    state_->setWordWrap(true);
    makeSelectable(*state_, Qt::TextBrowserInteraction);
    connect(state_, &QLabel::linkActivated, this, [this](const QString& link) {
        if (link == "settings") emit settingsWanted();
        else emit goToSource(toQt(first_error_.file), first_error_.line, first_error_.column);
    });
    ticks_.setInterval(tick_milliseconds);
    connect(&ticks_, &QTimer::timeout, this, &BuildCard::tick);
    connect(&session_.engine(), &Engine::buildStarted, this, [this] {
        stage_ = QStringLiteral("build");
        since_start_.start();
        ticks_.start();
    });
    connect(&session_.engine(), &Engine::buildProgressed, this, [this](const QString& stage) { stage_ = stage; });
    connect(&session_.engine(), &Engine::buildFinished, this, &BuildCard::takeOutcome);
    refresh();
}

QString BuildCard::obstacleOf(Session& session) {
    const Variant* variant = session.variant();
    if (variant == nullptr || variant->language == Language::library) return tr("Nothing to build");
    if (!session.document().diagnostics().empty()) {
        return tr("Not built: the project has errors, which Problems lists");
    }
    return restrictionOf(session) ? tr("Restricted, so not built") : QString();
}

void BuildCard::refresh() {
    const QString why = obstacleOf(session_);
    if (!why.isEmpty()) {
        showResources(BuildResult());
        say(session_.variant() == nullptr ? Tone::plain : Tone::warning, why);
    } else if (obstructed_) {
        say(Tone::plain, tr("Not built yet"));
    }
    obstructed_ = !why.isEmpty();
}

void BuildCard::tick() {
    if (!session_.engine().isBuilding() || obstructed_) return ticks_.stop();
    const double seconds = static_cast<double>(since_start_.elapsed()) * 1e-3;
    say(Tone::plain, tr("%1, %2 s").arg(stageInWords(stage_)).arg(seconds, 0, 'f', 1));
}

/// Shows the result of a build. The result of a configuration that is no longer the chosen one is not shown: the next
/// result is on its way.
void BuildCard::takeOutcome(const BuildOutcome& outcome) {
    ticks_.stop();
    const Variant* variant = session_.variant();
    if (obstructed_ || variant == nullptr || variant->name != outcome.variant) return;
    if (configuration_of(*variant) != outcome.configuration) return;
    const BuildResult& result = outcome.result;
    showResources(result);
    const QString reason = inWords(result.reason);
    switch (result.status) {
        case Status::ok:
            if (is_python(variant->language) && result.resources.empty()) {
                say(Tone::good, tr("Checked in %1 s").arg(result.seconds, 0, 'f', 2) + warnings(result));
                showUnknown(unknownText(variant->language, session_.device()));
            } else if (result.cached) say(Tone::good, tr("Built, from the cache") + warnings(result));
            else say(Tone::good, tr("Built in %1 s").arg(result.seconds, 0, 'f', 2) + warnings(result));
            break;
        case Status::build_failed: showFailure(result); break;
        case Status::restricted: say(Tone::warning, tr("Restricted: %1").arg(reason)); break;
        case Status::cancelled: say(Tone::plain, tr("Cancelled")); break;
        default:
            say(Tone::bad, tr("Not built: %1").arg(reason));
            if (asksForPython(result.reason)) offerSettings();
            break;
    }
    state_->setToolTip(tr("Shown %1 ms after it was asked for").arg(qRound(outcome.seconds_to_show * 1000)));
}

void BuildCard::showFailure(const BuildResult& result) {
    const auto error = std::ranges::find(result.messages, "error", &CompilerMessage::severity);
    if (error == result.messages.end()) return say(Tone::bad, tr("Failed: %1").arg(toQt(result.reason)));
    first_error_ = *error;
    if (error->line == 0) return say(Tone::bad, tr("Failed: %1").arg(toQt(error->text)));
    const QString text = breakable(toQt(error->text)).toHtmlEscaped();
    const QString place = QStringLiteral("%1:%2").arg(toQt(error->file)).arg(error->line).toHtmlEscaped();
    say(Tone::bad, {}, tr("Failed: %1").arg(QStringLiteral("<a href=\"error\">%1</a> %2").arg(place, text)));
}

void BuildCard::offerSettings() {
    state_->setText(state_->text() + " <a href=\"settings\">" + tr("Settings").toHtmlEscaped() + "</a>");
}

void BuildCard::say(Tone tone, const QString& text, const QString& rich) {
    state_->setText(rich.isEmpty() ? breakable(text).toHtmlEscaped() : rich);
    tone_ = tone;
    applyTone();
}

void BuildCard::showResources(const BuildResult& result) {
    while (rows_->rowCount() > 0) rows_->removeRow(0);
    for (const Row& each : rowsOf(result)) {
        auto* text = new QLabel(each.value);
        text->setAlignment(Qt::AlignRight);
        text->setWordWrap(true);
        text->setTextInteractionFlags(Qt::TextSelectableByMouse);
        text->setToolTip(each.tip);
        rows_->addRow(each.name, text);
    }
    resources_->setVisible(rows_->rowCount() > 0);
}

void BuildCard::showUnknown(const QString& text) {
    auto* label = new QLabel(text);
    label->setObjectName("build_unknown");
    label->setWordWrap(true);
    label->setForegroundRole(QPalette::PlaceholderText);
    rows_->addRow(label);
    resources_->show();
}

void BuildCard::applyTone() {
    const Colours colours = coloursOf(palette());
    const QColor colour = tone_ == Tone::good      ? colours.good
                          : tone_ == Tone::warning ? colours.warning
                          : tone_ == Tone::bad     ? colours.bad
                                                   : colours.muted;
    QPalette own;
    own.setColor(QPalette::WindowText, colour);
    mark_->setPalette(own);
}

void BuildCard::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) applyTone();
}

}  // namespace kernelgen::studio
