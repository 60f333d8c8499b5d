// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/tunables/tunables_panel.h"

#include <QEvent>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/text.h"
#include "app/studio/document/literals.h"
#include "app/studio/theme/icons.h"
#include "app/studio/theme/theme.h"
#include "app/studio/tunables/background_build.h"
#include "app/studio/tunables/best_comparison.h"
#include "app/studio/tunables/build_card.h"
#include "app/studio/tunables/tunable_row.h"
#include "core/project/dispatch.h"

namespace kernelgen::studio {

namespace {

bool sameShape(const std::vector<Tunable>& a, const std::vector<Tunable>& b) {
    return std::ranges::equal(a, b, [](const Tunable& one, const Tunable& other) {
        return one.name == other.name && one.values == other.values;
    });
}

std::optional<std::int64_t> valueIn(const Configuration& configuration, const std::string& name) {
    const auto found = configuration.find(name);
    return found == configuration.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

TunablesPanel::TunablesPanel(Session& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      empty_(new QLabel),
      rules_(new QLabel),
      restriction_(new QLabel),
      literals_(new QLabel),
      comparison_(new BestComparison(session)),
      build_(new BuildCard(session)) {
    auto* line = new QFrame;
    line->setFrameShape(QFrame::HLine);
    line->setForegroundRole(QPalette::Mid);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(tuning(), 1);
    layout->addWidget(line);
    layout->addWidget(build_);
    new BackgroundBuild(session_, this);
    ProjectDocument& document = session_.document();
    connect(&document, &ProjectDocument::opened, this, &TunablesPanel::refresh);
    connect(&document, &ProjectDocument::changed, this, &TunablesPanel::refresh);
    connect(&document, &ProjectDocument::saved, this, &TunablesPanel::refresh);
    connect(&session_, &Session::variantChanged, this, &TunablesPanel::refresh);
    connect(&session_.rounds(), &RoundStore::changed, this, &TunablesPanel::showBest);
    connect(&session_.engine(), &Engine::devicesChanged, this, &TunablesPanel::showBest);
    connect(&session_.tuningChoices(), &TuningChoices::changed, this, &TunablesPanel::showChoices);
    connect(&document.literals(), &Literals::changed, this, &TunablesPanel::showLiterals);
    connect(build_, &BuildCard::goToSource, this, &TunablesPanel::goToSource);
    connect(build_, &BuildCard::settingsWanted, this, &TunablesPanel::settingsWanted);
    applyPalette();
    refresh();
}

QScrollArea* TunablesPanel::tuning() {
    tuning_ = new QWidget;
    auto* own = new QVBoxLayout(tuning_);
    own->setContentsMargins(0, 0, 0, 0);
    own->addWidget(rules_);
    own->addWidget(restriction_);
    own->addWidget(literals_);
    own->addWidget(buttons());
    own->addWidget(comparison_);
    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->addWidget(empty_);
    layout->addWidget(tuning_);
    layout->addStretch();
    empty_->setObjectName("tunables_empty");
    empty_->setWordWrap(true);
    rules_->setObjectName("rules");
    rules_->setAccessibleName(tr("Configurations by case"));
    rules_->setWordWrap(true);
    restriction_->setObjectName("restriction");
    restriction_->setAccessibleName(tr("Restriction that does not hold"));
    restriction_->setWordWrap(true);
    literals_->setObjectName("literals");
    literals_->setAccessibleName(tr("Tunables in the source"));
    literals_->setWordWrap(true);
    literals_->setTextFormat(Qt::RichText);
    literals_->setTextInteractionFlags(Qt::TextBrowserInteraction);
    connect(literals_, &QLabel::linkActivated, this, [this](const QString& link) { takeLiterals(link == "take"); });
    auto* area = new QScrollArea;
    area->setWidget(content);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    return area;
}

QWidget* TunablesPanel::buttons() {
    auto* line = new QWidget;
    auto* layout = new QHBoxLayout(line);
    layout->setContentsMargins(0, 0, 0, 0);
    best_ = new QPushButton(tr("Best"));
    best_->setObjectName("take_best");
    best_->setToolTip(tr("Take the values of the best round on this device"));
    reset_ = new QPushButton(tr("Reset"));
    reset_->setObjectName("reset_tunables");
    reset_->setToolTip(tr("Back to the values that are saved"));
    connect(best_, &QPushButton::clicked, this, &TunablesPanel::takeBest);
    connect(reset_, &QPushButton::clicked, this, &TunablesPanel::resetToProject);
    layout->addWidget(best_, 1);
    layout->addWidget(reset_, 1);
    return line;
}

void TunablesPanel::refresh() {
    const Variant* variant = session_.variant();
    const std::vector<Tunable> tunables = variant == nullptr ? std::vector<Tunable>() : variant->tunables;
    const std::string name = variant == nullptr ? std::string() : variant->name;
    if (name != rows_of_ || !sameShape(tunables, tunables_) || rows_box_ == nullptr) makeRows(variant);
    tunables_ = tunables;
    for (std::size_t i = 0; i < rows_.size(); ++i) rows_[i]->setValue(tunables[i].value);
    empty_->setText(emptyState());
    empty_->setVisible(!empty_->text().isEmpty());
    tuning_->setVisible(!rows_.empty());
    const Variant* saved = session_.document().projectOnDisk().find_variant(name);
    reset_->setEnabled(saved != nullptr && variant != nullptr && saved->tunables != variant->tunables);
    showRules();
    showRestriction();
    showLiterals();
    showBest();
    showChoices();
    build_->refresh();
}

void TunablesPanel::makeRows(const Variant* variant) {
    delete rows_box_;
    rows_.clear();
    rows_of_ = variant == nullptr ? std::string() : variant->name;
    rows_box_ = new QWidget;
    auto* layout = new QVBoxLayout(rows_box_);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(10);
    if (variant != nullptr) {
        for (const Tunable& each : variant->tunables) {
            if (each.values.empty()) continue;  // Problems says what is wrong with it
            auto* row = new TunableRow(each);
            connect(row, &TunableRow::chosen, this, [this, tunable = each.name](qint64 value) {
                session_.document().setTunable(rows_of_, tunable, value);
            });
            connect(row, &TunableRow::tunedChosen, this, [this, tunable = each.name](bool tuned) {
                if (const Variant* own = session_.variant()) session_.tuningChoices().setTuned(*own, tunable, tuned);
            });
            connect(row, &TunableRow::partChosen, this, [this, tunable = each.name](qint64 value, bool takes_part) {
                if (const Variant* own = session_.variant())
                    session_.tuningChoices().setTakesPart(*own, tunable, value, takes_part);
            });
            layout->addWidget(row);
            rows_.push_back(row);
        }
    }
    static_cast<QVBoxLayout*>(tuning_->layout())->insertWidget(0, rows_box_);
    if (rows_.empty()) return;
    setTabOrder(rows_.back()->lastField(), best_);
    setTabOrder(best_, reset_);
}

QString TunablesPanel::emptyState() const {
    const Variant* variant = session_.variant();
    if (!rows_.empty()) return {};
    if (!session_.document().isOpen()) return tr("Open a project to tune its variants.");
    if (variant == nullptr) {
        return tr("No variant of this project runs on %1. Choose another device above, or write one with "
                  "Run > Generate sources.")
            .arg(session_.device());
    }
    const QString name = toQt(variant->name);
    if (variant->language == Language::library) {
        return tr("%1 is a primitive of the library %2: there is nothing to tune. Choose another variant above.")
            .arg(name, toQt(variant->library));
    }
    return tr("%1 has no tunables. Give it some under \"tunables\" in project.json, or choose another variant above.")
        .arg(name);
}

/// Shows the rules that are stronger than the sliders' values on some cases.
void TunablesPanel::showRules() {
    const Variant* variant = session_.variant();
    QStringList lines;
    if (variant != nullptr) {
        for (const ConfigurationRule& rule : variant->configurations)
            lines << tr("Where %1: %2").arg(toQt(rule.when), configurationText(rule.values));
    }
    for (const DispatchRule& rule : dispatch_on(session_.document().project(), session_.device().toStdString()))
        lines << tr("Where %1: variant %2").arg(toQt(rule.when), toQt(rule.variant));
    rules_->setText(lines.join('\n'));
    rules_->setToolTip(
        tr("Rules under \"configurations\" and \"dispatch\" in project.json; the first of each that "
           "holds on a case counts there. A run in this window is of the chosen variant"));
    rules_->setVisible(!lines.isEmpty());
}

void TunablesPanel::showRestriction() {
    std::optional<QString> violated = restrictionOf(session_);
    restriction_->setVisible(violated.has_value());
    if (!violated) return restriction_->clear();
    (*violated)[0] = violated->at(0).toUpper();
    restriction_->setText(tr("%1. A run would be recorded as restricted.").arg(*violated));
}

/// A source that holds other values than the sliders: which of the two counts is the user's to say.
void TunablesPanel::showLiterals() {
    const Variant* variant = session_.variant();
    QStringList values;
    if (variant != nullptr) {
        for (const auto& [name, value] : session_.document().literals().differing(*variant)) {
            values << QStringLiteral("%1 = %2").arg(toQt(name)).arg(value);
        }
    }
    literals_->setVisible(!values.isEmpty());
    if (values.isEmpty()) return literals_->clear();
    literals_->setText(tr("The source says %1. A run takes what stands here. <a href=\"take\">Take from the "
                          "source</a> · <a href=\"write\">Write into the source</a>")
                           .arg(values.join(", ").toHtmlEscaped()));
}

void TunablesPanel::takeLiterals(bool from_source) {
    const Variant* variant = session_.variant();
    if (variant == nullptr) return;
    const Configuration own = configuration_of(*variant);
    if (from_source) take(tr("take the tunables of the source"), session_.document().literals().differing(*variant));
    else take(tr("write the tunables into the source"), own);
}

void TunablesPanel::showBest() {
    const Round* best = bestRound(session_);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        rows_[i]->setBest(best == nullptr ? std::nullopt : valueIn(best->configuration, tunables_[i].name));
    }
    best_->setEnabled(best != nullptr && best->configuration != configuration_of(*session_.variant()));
    comparison_->refresh();
}

/// Shows which values take part in a tuning, while that is of interest.
void TunablesPanel::showChoices() {
    const Variant* variant = session_.variant();
    if (variant == nullptr || variant->tunables.size() != rows_.size()) return;
    const TuningChoices& choices = session_.tuningChoices();
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const Tunable& tunable = variant->tunables[i];
        std::vector<bool> take_part;
        for (const std::int64_t each : tunable.values)
            take_part.push_back(choices.takesPart(*variant, tunable.name, each));
        rows_[i]->setChoice(choices.isTuned(*variant, tunable.name), take_part);
        rows_[i]->setChoiceShown(choices.areShown());
    }
}

void TunablesPanel::resetToProject() {
    const Variant* saved = session_.document().projectOnDisk().find_variant(rows_of_);
    if (saved != nullptr) take(tr("reset tunables"), configuration_of(*saved));
}

void TunablesPanel::takeBest() {
    const Round* best = bestRound(session_);
    if (best != nullptr) take(tr("take the tunables of round %1").arg(best->number), best->configuration);
}

void TunablesPanel::take(const QString& text, const Configuration& configuration) {
    session_.document().setTunables(text, rows_of_, configuration);
}

void TunablesPanel::applyPalette() {
    QPalette red;
    red.setColor(QPalette::WindowText, coloursOf(palette()).bad);
    restriction_->setPalette(red);
    reset_->setIcon(icon("reset", palette()));
}

void TunablesPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) applyPalette();
}

}  // namespace kernelgen::studio
