// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/session/round_store.h"

#include <QtConcurrentRun>
#include <algorithm>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/text.h"

namespace kernelgen::studio {

namespace {

constexpr std::size_t most_details = 64;  ///< kept in memory

}  // namespace

RoundStore::RoundStore(QObject* parent) : QObject(parent), history_(std::make_shared<History>()) {}

RoundStore::~RoundStore() = default;

void RoundStore::setFolder(const QString& folder) {
    folder_ = folder;
    details_.clear();
    delete generation_;
    generation_ = new QObject(this);
    loading_ = again_ = false;
    history_ = std::make_shared<History>();
    emit changed();
    reload();
}

void RoundStore::reload() {
    if (folder_.isEmpty()) return;
    again_ = loading_;
    if (loading_) return;
    loading_ = true;
    const auto read = [folder = folder_.toStdString()]() -> Loaded {
        Result<History> history = load_history(folder);
        if (!history) return std::unexpected(history.error());
        return std::make_shared<const History>(std::move(*history));
    };
    QtConcurrent::run(read).then(generation_, [this](const Loaded& loaded) { take(loaded); });
}

void RoundStore::take(const Loaded& loaded) {
    loading_ = false;
    if (loaded) {
        history_ = *loaded;
        emit changed();
    } else {
        emit failed(inWords(loaded.error().message));
    }
    if (std::exchange(again_, false)) reload();
}

const Round* RoundStore::round(int number) const {
    const auto& rounds = history_->rounds;
    const auto found = std::ranges::lower_bound(rounds, number, {}, &Round::number);
    return found != rounds.end() && found->number == number ? &*found : nullptr;
}

std::shared_ptr<const RoundDetail> RoundStore::detail(int number) {
    if (const auto known = details_.find(number); known != details_.end()) return known->second.detail;
    if (folder_.isEmpty()) return nullptr;
    if (details_.size() >= most_details) details_.erase(details_.begin());
    details_[number] = {};
    const auto read = [folder = folder_.toStdString(), number]() -> Detail {
        Result<RoundDetail> detail = load_round_detail(folder, number);
        if (!detail) return {nullptr, inWords(detail.error().message)};
        return {std::make_shared<const RoundDetail>(std::move(*detail)), {}};
    };
    QtConcurrent::run(read).then(generation_, [this, number](const Detail& detail) {
        details_[number] = detail;
        emit detailLoaded(number);
    });
    return nullptr;
}

QString RoundStore::detailProblem(int number) const {
    const auto known = details_.find(number);
    return known == details_.end() ? QString() : known->second.problem;
}

}  // namespace kernelgen::studio
