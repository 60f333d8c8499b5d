// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/operator/definition_form.h"

#include <QApplication>
#include <QFormLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>
#include <map>

#include "app/studio/operator/bindings.h"
#include "app/studio/operator/form_field.h"
#include "app/studio/operator/section.h"
#include "app/studio/operator/table_field.h"
#include "core/lang/contraction.h"

namespace kernelgen::studio {

DefinitionForm::DefinitionForm(ProjectDocument& document, Extent extent, QWidget* parent)
    : QWidget(parent), document_(document) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 4, 6, 4);
    layout->setSpacing(4);
    if (extent == Extent::whole) makeWhole();
    else makeBeginning();
    layout->addStretch(1);  // alone: the fields keep their places where there is more room
    connect(&document_, &ProjectDocument::opened, this, [this] {
        openUsual();
        refresh();
    });
    connect(&document_, &ProjectDocument::changed, this, &DefinitionForm::refresh);
    for (const Entry& each : entries_) {
        connect(each.field, &FormField::problemChanged, this, &DefinitionForm::markSections);
        connect(each.field, &FormField::problemChanged, this, &DefinitionForm::messagesChanged);
    }
    openUsual();
    refresh();
}

void DefinitionForm::makeWhole() {
    makeOperator();
    makeBody();
    Section* const inputs = addTable(inputContent());
    Section* const outputs = addTable(outputContent());
    addTable(caseContent())->setOpen(true);
    attributes_ = addTable(attributeContent());
    addTable(symbolContent());
    addTable(constraintContent());
    for (Section* each : {inputs, outputs}) each->setOpen(true);
    not_of_files_.insert(not_of_files_.end(), {inputs, outputs, attributes_});
    addTable(toleranceContent());
    makePerformance();
}

void DefinitionForm::makeBeginning() {
    makeBody();
    addTable(inputContent())->setOpen(true);
    addTable(outputContent())->setOpen(true);
    attributes_ = addTable(attributeContent());
    addTable(constraintContent());
    addTable(caseContent())->setOpen(true);
}

void DefinitionForm::makeOperator() {
    auto* content = new QWidget;
    operator_rows_ = new QFormLayout(content);
    operator_rows_->setContentsMargins({});
    const std::size_t first = entries_.size();
    addRow(operator_rows_, new LineField(document_, Bindings::name()));
    auto* family = new QLabel;
    operator_rows_->addRow(tr("Family"), family);
    const auto show = [this, family] {
        family->setText(QString::fromStdString(to_string(document_.project().definition.family)));
    };
    connect(&document_, &ProjectDocument::changed, family, show);
    connect(&document_, &ProjectDocument::opened, family, show);
    show();
    addRow(operator_rows_, new LinesField(document_, Bindings::description(), LinesField::Kind::prose));
    arithmetic_ = addRow(operator_rows_, new ChoiceField(document_, Bindings::arithmetic(), Bindings::arithmetics));
    accumulation_ =
        addRow(operator_rows_, new ChoiceField(document_, Bindings::accumulation(), Bindings::accumulations));
    definition_ = addRow(operator_rows_, new LineField(document_, Bindings::definition()));
    reference_ = addRow(operator_rows_, new ChoiceField(document_, Bindings::reference(), Bindings::references));
    Section* section = addSection(tr("Operator"), content);
    section->setOpen(true);
    ownRows(first, section);
}

void DefinitionForm::makeBody() {
    auto* body = new LinesField(document_, Bindings::body(), LinesField::Kind::code);
    Section* section = addSection(tr("Body"), body);
    section->setOpen(true);
    entries_.push_back({body, section});
    not_of_files_.push_back(section);
}

void DefinitionForm::makePerformance() {
    auto* content = new QWidget;
    auto* form = new QFormLayout(content);
    form->setContentsMargins({});
    const std::size_t first = entries_.size();
    const auto baseline = [&](const std::string& kind) {
        const auto choices = [kind](const Project& project) { return Bindings::baselines(project, kind); };
        addRow(form, new ChoiceField(document_, Bindings::baseline(kind), choices));
    };
    for (const std::string_view kind : device_kinds) baseline(std::string(kind));
    baseline("");  // last, for it owns the paths of the others too
    addRow(form, new LineField(document_, Bindings::targetSpeedup()));
    addRow(form, new LineField(document_, Bindings::maxRounds()));
    addRow(form, new LineField(document_, Bindings::budgetSeconds()));
    addRow(form, new ChoiceField(document_, Bindings::caches(), Bindings::cachesStates));
    ownRows(first, addSection(tr("Performance"), content));
}

Section* DefinitionForm::addSection(const QString& title, QWidget* content, QWidget* corner) {
    auto* section = new Section(title, content, corner);
    layout()->addWidget(section);
    return section;
}

Section* DefinitionForm::addTable(std::unique_ptr<TableContent> content) {
    const QString title = content->title();
    auto* field = new TableField(document_, std::move(content));
    Section* section = addSection(title, field, field->buttons());
    entries_.push_back({field, section});
    return section;
}

TextField* DefinitionForm::addRow(QFormLayout* form, TextField* field) {
    form->addRow(field->binding().name, field);
    entries_.push_back({field, nullptr});
    return field;
}

void DefinitionForm::ownRows(std::size_t first, Section* section) {
    for (std::size_t i = first; i < entries_.size(); ++i) entries_[i].section = section;
}

/// Opens the section of attributes only where the operator has some: they are seldom used.
void DefinitionForm::openUsual() { attributes_->setOpen(!document_.project().definition.attributes.empty()); }

/// Shows the fields that the operator's family needs. A Python file that is the definition says all that the other
/// fields would.
void DefinitionForm::showByFamily() {
    const Family family = document_.project().definition.family;
    for (Section* each : not_of_files_) each->setVisible(!has_file(family));
    if (operator_rows_ == nullptr) return;
    operator_rows_->setRowVisible(reference_, !has_body(family) && !has_file(family));
    operator_rows_->setRowVisible(arithmetic_, !has_file(family));
    operator_rows_->setRowVisible(accumulation_, mayAccumulate());
    operator_rows_->setRowVisible(definition_, has_file(family));
}

/// Few operators have sums that may be coarse. Where the definition says so of another, the field shows the error.
bool DefinitionForm::mayAccumulate() const {
    const Operator& definition = document_.project().definition;
    return definition.accumulate || (document_.body() != nullptr && has_coarse_sums(definition, *document_.body()));
}

void DefinitionForm::refresh() {
    setEnabled(document_.isOpen());
    showByFamily();
    for (const Entry& each : entries_) each.field->refresh();
    distribute();
}

void DefinitionForm::distribute() {
    std::map<const FormField*, Diagnostics> by_field;
    for (const Diagnostic& each : document_.diagnostics()) {
        const auto owner =
            std::ranges::find_if(entries_, [&](const Entry& entry) { return entry.field->owns(each.where); });
        if (owner != entries_.end()) by_field[owner->field].push_back(each);
    }
    for (const Entry& each : entries_) each.field->setDiagnostics(by_field[each.field]);
}

/// A section is marked while a field in it has a problem.
void DefinitionForm::markSections() {
    std::map<Section*, bool> wrong;
    for (const Entry& each : entries_) {
        if (each.section != nullptr) wrong[each.section] |= each.field->hasProblem();
    }
    for (const auto& [section, is_wrong] : wrong) section->setWrong(is_wrong);
}

QStringList DefinitionForm::messages() const {
    const QWidget* focus = QApplication::focusWidget();
    QStringList first;
    for (const Entry& each : entries_) {
        if (!each.field->hasProblem()) continue;
        if (each.field->isAncestorOf(focus)) return each.field->messages();
        if (!first.isEmpty()) continue;
        first = each.field->messages();
        first.front() = each.field->name() + QStringLiteral(": ") + first.front();
    }
    return first;
}

bool DefinitionForm::goTo(const std::string& where) {
    const std::string path = where.starts_with("body:") ? "operator." + where : where;
    const auto owner = std::ranges::find_if(entries_, [&](const Entry& entry) { return entry.field->owns(path); });
    if (owner == entries_.end()) return false;
    owner->section->setOpen(true);
    owner->field->goTo(path);
    emit revealed(owner->field);
    return true;
}

}  // namespace kernelgen::studio
