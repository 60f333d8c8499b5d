// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/session/gates.h"

#include <QtConcurrentRun>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/text.h"
#include "core/gate/gate_store.h"
#include "core/round/history.h"

namespace kernelgen::studio {

namespace {

Gate readGate(const std::string& folder, const std::string& variant, const std::string& device) {
    Gate gate;
    const Validated<GateFile> file = load_gate(folder);
    if (!file) gate.problem = inWords(file.error());
    else if (const StoredBaseline* stored = file->find(variant, device)) gate.stored = *stored;
    CheckHistory history = load_checks(folder, variant, device);
    gate.checks = std::move(history.checks);
    if (gate.problem.isEmpty()) gate.problem = inWords(history.warning);
    return gate;
}

}  // namespace

void Gates::show(const QString& folder, const QString& variant, const QString& device) {
    folder_ = folder;
    variant_ = variant;
    device_ = device;
    delete generation_;
    generation_ = new QObject(this);
    gate_.reset();
    emit changed();
    reload();
}

/// Reads the gate anew. The old state is shown until the new one is read.
void Gates::reload() {
    if (folder_.isEmpty()) return;
    QtConcurrent::run([folder = folder_.toStdString(), variant = variant_.toStdString(),
                       device = device_.toStdString()] {
        return std::make_shared<const Gate>(readGate(folder, variant, device));
    }).then(generation_, [this](const std::shared_ptr<const Gate>& gate) {
        gate_ = gate;
        emit changed();
    });
}

/// `work` returns what is to be told of its success.
void Gates::write(std::function<Result<QString>()> work) {
    QtConcurrent::run(std::move(work)).then(this, [this](const Result<QString>& written) {
        emit told(written ? *written : inWords(written.error().message), !written);
        reload();
    });
}

void Gates::store(int round) {
    write([folder = folder_.toStdString(), round]() -> Result<QString> {
        const Result<RoundDetail> detail = load_round_detail(folder, round);
        if (!detail) return std::unexpected(detail.error());
        const Result<StoredBaseline> stored = store_baseline(folder, *detail);
        if (!stored) return std::unexpected(stored.error());
        return tr("Round %1 is the stored baseline of %2 on %3 now")
            .arg(round)
            .arg(toQt(stored->implementation.variant.name), toQt(stored->device));
    });
}

void Gates::storeThresholds() {
    if (!gate_ || gate_->checks.empty()) return;
    write([folder = folder_.toStdString(), check = gate_->checks.back()]() -> Result<QString> {
        if (auto stored = store_thresholds(folder, check); !stored) return std::unexpected(stored.error());
        return tr("The thresholds and limits of the last check count from now on");
    });
}

}  // namespace kernelgen::studio
