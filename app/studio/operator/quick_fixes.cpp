// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/operator/quick_fixes.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>

#include "app/studio/application/text.h"
#include "app/studio/operator/rename.h"
#include "core/said/said.h"

namespace kernelgen::studio {

namespace {

struct QuickFixes {
    Q_DECLARE_TR_FUNCTIONS(QuickFixes)
};

/// The name that the sentence with this id is about; "" where it is another sentence.
QString nameIn(const Said& said, std::string_view id) {
    const std::optional<std::size_t> place = place_of_format(said.format());
    const bool is_it = place && !said.arguments().empty() && ids_of_sentences()[*place] == id;
    return is_it ? toQt(said.arguments().front()) : QString();
}

/// Every use of the name: a misspelt one is often misspelt twice.
void replaceName(Project& project, const QString& name, const QString& by) {
    QString body = toQt(project.definition.body);
    body.replace(QRegularExpression("\\b" + name + "\\b"), by);
    project.definition.body = body.toStdString();
}

/// It has the shape of the first output: another one is written in its place.
void addInput(Project& project, const QString& name) {
    Tensor input{.name = name.toStdString(), .shape = {}, .dtype = {}};
    if (!project.definition.outputs.empty()) input.shape = project.definition.outputs.front().shape;
    project.definition.inputs.push_back(std::move(input));
}

}  // namespace

std::vector<QuickFix> quickFixes(const Project& project, const Diagnostics& diagnostics) {
    std::vector<QuickFix> fixes;
    const auto add = [&fixes](const QString& title, std::function<void(Project&)> apply) {
        if (std::ranges::find(fixes, title, &QuickFix::title) == fixes.end())
            fixes.push_back({title, std::move(apply)});
    };
    for (const Diagnostic& each : diagnostics) {
        if (!each.where.contains("body")) continue;
        const QString unknown = nameIn(each.message, "body_unknown_name");
        const QString name = unknown.isEmpty() ? nameIn(each.message, "body_unknown_function") : unknown;
        if (name.isEmpty()) continue;
        if (const QString meant = nameIn(each.suggestion, "did_you_mean"); !meant.isEmpty())
            add(QuickFixes::tr("Write %1 in place of %2").arg(meant, name),
                [=](Project& changed) { replaceName(changed, name, meant); });
        if (!unknown.isEmpty() && freshName(project.definition, unknown.toStdString()) == unknown.toStdString())
            add(QuickFixes::tr("Add %1 as an input").arg(unknown),
                [=](Project& changed) { addInput(changed, unknown); });
    }
    return fixes;
}

}  // namespace kernelgen::studio
