// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/document/source_sets.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

#include "app/studio/application/text.h"

namespace kernelgen::studio {

namespace {

struct SourceSets {
    Q_DECLARE_TR_FUNCTIONS(SourceSets)
};

void add(std::vector<std::string>& files, const std::string& file) {
    if (!file.empty() && std::ranges::find(files, file) == files.end()) files.push_back(file);
}

const Variant* firstOf(const Project& project, Language language) {
    const auto found = std::ranges::find(project.variants, language, &Variant::language);
    return found == project.variants.end() ? nullptr : &*found;
}

QString roleOf(const Companion& companion) {
    return companion.kind == "accuracy" ? SourceSets::tr("Accuracy test of %1")
                                        : SourceSets::tr("Performance test of %1");
}

}  // namespace

std::vector<std::string> filesOf(const Variant& variant) {
    std::vector<std::string> files;
    add(files, variant.source);
    for (const Companion& each : variant.companions) add(files, each.source);
    return files;
}

std::vector<std::string> filesOfWork(const Project& project, const Variant& variant, const std::string& device) {
    std::vector<std::string> files;
    if (variant.source.empty()) return files;
    if (is_python(variant.language)) {
        const Variant* kernel = variant.language == Language::triton ? &variant : firstOf(project, Language::triton);
        if (kernel != nullptr) add(files, kernel->source);
        const Variant* torch = firstOf(project, Language::torch);
        if (torch != nullptr) add(files, torch->source);
        for (const std::string& each : kernel == nullptr ? std::vector<std::string>() : filesOf(*kernel)) {
            add(files, each);
        }
    }
    add(files, variant.source);
    const Variant* baseline = baseline_for(project, device);
    if (baseline != nullptr && !is_python(variant.language)) add(files, baseline->source);
    return files;
}

QString rolesOf(const Project& project, const std::string& file) {
    QStringList roles, variants;
    for (const Variant& each : project.variants) {
        if (each.source == file) variants << toQt(each.name);
        for (const Companion& companion : each.companions) {
            if (companion.source == file) roles << roleOf(companion).arg(toQt(each.name));
        }
    }
    if (!variants.isEmpty()) roles.prepend(SourceSets::tr("Source of %1").arg(variants.join(", ")));
    return roles.join('\n');
}

}  // namespace kernelgen::studio
