// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/session/tunings.h"

#include <QtConcurrentRun>
#include <algorithm>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/text.h"
#include "core/tune/tuning_file.h"

namespace kernelgen::studio {

namespace {

/// Whether something of the case's tuning is left, with which resuming goes on.
bool isUnfinished(const CaseTuning& done) {
    const std::optional<TuningOutcome>& outcome = done.tuning.outcome;
    return !outcome || !outcome->left_out.empty();
}

/// Whether the cases have not been compared yet, although each is decided.
bool lacksRace(const std::vector<CaseTuning>& cases) {
    std::vector<Tuning> decided;
    for (const CaseTuning& each : cases)
        decided.push_back({each.tuning.head, {}, each.tuning.outcome, each.tuning.across});
    return lacks_race_across(decided);
}

}  // namespace

void Tunings::setFolder(const QString& folder) {
    folder_ = folder;
    numbers_.clear();
    shown_.reset();
    live_.reset();
    places_.clear();
    unfinished_ = false;
    loading_ = !folder.isEmpty();
    asked_.reset();
    delete generation_;
    generation_ = new QObject(this);
    emit changed();  // before `read`, which may have its answer at once
    if (loading_) read(0);
}

/// Reads a tuning; for 0 the last, or where that cannot be read, the last that can.
void Tunings::read(int number) {
    loading_ = true;
    const auto job = [folder = folder_.toStdString(), number]() -> Read {
        Read read{tuning_numbers(folder), std::shared_ptr<Tuning>()};
        if (read.numbers.empty()) return read;
        Result<Tuning> tuning = load_tuning(folder, number == 0 ? read.numbers.back() : number);
        for (const int older : number == 0 && !tuning ? read.numbers : std::vector<int>()) {
            Result<Tuning> readable = load_tuning(folder, older);
            if (!readable) continue;
            if (read.unread.empty()) read.unread = tuning.error().message;
            tuning = std::move(readable);
        }
        read.can_go_on = tuning && can_go_on(folder, *tuning);
        if (tuning) read.tuning = std::make_shared<Tuning>(std::move(*tuning));
        else read.tuning = std::unexpected(tuning.error());
        return read;
    };
    QtConcurrent::run(job).then(generation_, [this](const Read& read) { takeRead(read); });
}

void Tunings::takeRead(const Read& read) {
    loading_ = false;
    const bool is_asked = read.tuning && *read.tuning && (*read.tuning)->head.number == asked_;
    if (live_ && shown_ == live_ && !is_asked) return;  // it began meanwhile, and is newer
    numbers_ = read.numbers;
    if (live_ && !std::ranges::contains(numbers_, live_->head.number)) numbers_.push_back(live_->head.number);
    if (!read.tuning) {
        shown_.reset();
        emit failed(inWords(read.tuning.error().message));
    } else {
        shown_ = *read.tuning;
        for (const Said& each : shown_ ? shown_->warnings : std::vector<Said>()) emit failed(toQt(each));
    }
    if (!read.unread.empty()) emit failed(toQt(read.unread));
    const bool is_last = shown_ && (shown_->head.number == numbers_.back() || !read.unread.empty());
    if (is_last) unfinished_ = read.can_go_on;
    emit changed();
}

void Tunings::show(int number) {
    asked_ = number;
    if (shown_ && shown_->head.number == number) return;
    if (!live_ || live_->head.number != number) return read(number);
    shown_ = live_;
    emit changed();
}

/// A tuning that has begun, or goes on, is shown.
void Tunings::begin(const TuningHead& head) {
    live_ = std::make_shared<Tuning>(Tuning{head, {}, {}, {}});
    places_.clear();
    asked_.reset();
    shown_ = live_;
    unfinished_ = true;
    if (!std::ranges::contains(numbers_, head.number)) numbers_.push_back(head.number);
    emit changed();
}

void Tunings::take(const TuningNews& news) {
    if (!news.head) return;
    if (!live_ || live_->head.number != news.head->number || live_->outcome) begin(*news.head);
    for (const Tried& each : news.tried) {
        const auto [place, is_new] = places_.emplace(each.configuration, live_->tried.size());
        if (is_new) live_->tried.push_back(each);
        else live_->tried[place->second] = each;
    }
    if (!news.tried.empty() && shown_ == live_) emit grew();
}

void Tunings::finish(const TuningEnd& end) {
    for (const CaseTuning& each : end.cases) {
        if (!live_ || each.tuning.head.number != live_->head.number) continue;
        live_->outcome = each.tuning.outcome;
        const std::vector<Case>& cases = live_->head.cases;
        unfinished_ = !cases.empty() && live_->head.binding != cases.back();
    }
    unfinished_ = unfinished_ || std::ranges::any_of(end.cases, isUnfinished) || lacksRace(end.cases);
    emit changed();
}

}  // namespace kernelgen::studio
