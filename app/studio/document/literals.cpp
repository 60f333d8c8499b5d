// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/document/literals.h"

#include <QtConcurrentRun>
#include <algorithm>
#include <ranges>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/text.h"
#include "app/studio/document/project_document.h"
#include "core/python/inspection.h"

namespace kernelgen::studio {

namespace {

constexpr int after_change = 120;  // milliseconds

/// The place of a byte of UTF-8 in characters.
int characters(const std::string& text, std::size_t bytes) {
    return static_cast<int>(toQt(std::string_view(text).substr(0, bytes)).size());
}

}  // namespace

std::string edited(const std::string& text, const std::vector<TextEdit>& edits) {
    QString result = toQt(text);
    for (const TextEdit& each : edits | std::views::reverse) {
        result.replace(each.begin, each.end - each.begin, each.text);
    }
    return result.toStdString();
}

Literals::Literals(ProjectDocument& document, QObject* parent) : QObject(parent), document_(document) {
    settle_.setSingleShot(true);
    settle_.setInterval(after_change);
    connect(&settle_, &QTimer::timeout, this, &Literals::ask);
    connect(&finding_, &QFutureWatcherBase::finished, this, &Literals::takeFound);
    connect(&document_, &ProjectDocument::opened, this, &Literals::forget);
    connect(&document_, &ProjectDocument::sourcesChanged, this, &Literals::look);
    connect(&document_, &ProjectDocument::sourceEdited, this, &Literals::look);
}

void Literals::look() { settle_.start(); }

void Literals::forget() {
    known_.clear();
    look();
}

std::vector<Literals::Asked> Literals::sources() const {
    std::vector<Asked> asked;
    for (const Variant& each : document_.project().variants) {
        const SourceFile* source = document_.source(each.source);
        if (each.language != Language::triton || !each.launches.empty() || source == nullptr) continue;
        asked.push_back({each.source, each.entry, source->text()});
    }
    return asked;
}

void Literals::ask() {
    if (finding_.isRunning()) return look();
    std::vector<Asked> asked = sources();
    std::erase_if(asked, [&](const Asked& each) {
        const auto known = known_.find(each.file);
        return known != known_.end() && known->second.text == each.text;
    });
    if (!asked.empty()) finding_.setFuture(QtConcurrent::run(&Literals::find, std::move(asked)));
}

Literals::Found Literals::find(const std::vector<Asked>& asked) {
    std::map<std::string, std::string> files, entries;
    for (const Asked& each : asked) {
        files[each.file] = each.text;
        entries[each.file] = each.entry;
    }
    Found found;
    const auto inspected = inspect_python(files, entries);
    if (!inspected) found.problem = inWords(inspected.error().message);
    for (const Asked& each : asked) {
        Known& known = found.known[each.file];
        known.text = each.text;
        if (!inspected) continue;
        for (const TunableSite& site : inspected->at(each.file).sites) {
            known.literals.push_back(
                {site.name, site.value, characters(each.text, site.start), characters(each.text, site.end)});
        }
    }
    return found;
}

void Literals::takeFound() {
    Found found = finding_.result();
    for (auto& [file, known] : found.known) known_[file] = std::move(known);
    problem_ = std::move(found.problem);
    emit changed();
}

std::vector<Literal> Literals::of(const Variant& variant) const {
    const auto known = known_.find(variant.source);
    const SourceFile* source = document_.source(variant.source);
    const bool current = known != known_.end() && source != nullptr && source->text() == known->second.text;
    return current ? known->second.literals : std::vector<Literal>();
}

Configuration Literals::differing(const Variant& variant) const {
    Configuration result;
    const Configuration own = configuration_of(variant);
    for (const Literal& each : of(variant)) {
        const auto value = own.find(each.tunable);
        if (value != own.end() && value->second != each.value) result[each.tunable] = each.value;
    }
    return result;
}

std::vector<TextEdit> Literals::edits(const Variant& variant, const Configuration& configuration) const {
    std::vector<TextEdit> edits;
    for (const Literal& each : of(variant)) {
        const auto value = configuration.find(each.tunable);
        if (value == configuration.end() || value->second == each.value) continue;
        edits.push_back({each.begin, each.end, QString::number(value->second)});
    }
    return edits;
}

void Literals::take(const std::string& file, const std::vector<TextEdit>& edits) {
    const auto known = known_.find(file);
    if (known == known_.end() || edits.empty()) return;
    known->second.text = document_.source(file)->text();
    int shift = 0;
    for (Literal& each : known->second.literals) {
        const auto edit = std::ranges::find(edits, each.begin, &TextEdit::begin);
        const int length = edit == edits.end() ? each.end - each.begin : static_cast<int>(edit->text.size());
        if (edit != edits.end()) each.value = edit->text.toLongLong();
        const int longer = length - (each.end - each.begin);
        each.begin += shift;
        each.end = each.begin + length;
        shift += longer;
    }
    emit changed();
}

}  // namespace kernelgen::studio
