// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/consistency/consistency_words.h"

#include <QCoreApplication>
#include <QStringList>

#include "app/studio/application/text.h"

namespace kernelgen::studio {

namespace {

struct ConsistencyWords {
    Q_DECLARE_TR_FUNCTIONS(ConsistencyWords)
};

QString nameOf(ChangeKind change) {
    switch (change) {
        case ChangeKind::tunables: return ConsistencyWords::tr("tunables");
        case ChangeKind::implementation: return ConsistencyWords::tr("implementation");
        case ChangeKind::interface: return ConsistencyWords::tr("interface");
        case ChangeKind::logic: return ConsistencyWords::tr("logic");
        default: return ConsistencyWords::tr("none");
    }
}

}  // namespace

QString stateOf(const Consistency& found) {
    QStringList sentences;
    const auto mismatches = static_cast<int>(found.mismatches.size());
    if (mismatches > 0) sentences << ConsistencyWords::tr("%n mismatch(es).", nullptr, mismatches);
    QStringList stale;
    for (const StaleFile& each : found.stale) stale << toQt(each.file);
    if (!stale.isEmpty()) {
        sentences << ConsistencyWords::tr("Kind of change: %1. Not in step with the project: %2.")
                         .arg(nameOf(found.change), stale.join(", "));
    }
    return sentences.isEmpty() ? ConsistencyWords::tr("The definition and all files agree.") : sentences.join(' ');
}

QString staleText(const StaleFile& file) {
    const QString name = toQt(file.file);
    if (file.edited) return ConsistencyWords::tr("%1  edited by a person: left as it is").arg(name);
    return ConsistencyWords::tr("%1  behind the project: %2").arg(name, nameOf(file.change));
}

QString howToGetPython() {
    return ConsistencyWords::tr(
        "Install Python 3.10 or newer, or name the interpreter under Edit > Settings > Python. "
        "PyTorch and Triton are not needed to compare files.");
}

}  // namespace kernelgen::studio
