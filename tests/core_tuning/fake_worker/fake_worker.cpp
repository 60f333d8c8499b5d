// SPDX-License-Identifier: Apache-2.0
// A worker that builds and runs nothing: `fake_worker TUNING WORD…` sleeps as long as the recorded tuning says that
// building, screening and racing a configuration took, and tells its times. The words say what it does besides:
//   slower N          its device is so many times as slow
//   late S            greets after so many seconds
//   dies_with A N     ends itself when it is to build a configuration whose tunable A is N
//   dies_after N      ends itself at the build after so many
//   fails             no configuration is right
//   lacks             what every configuration needs is not there
//   wrong A N         configurations whose tunable A is N are not right
//   hangs A N         the same do not answer in time
//   unbuilt A N       configurations whose tunable A is N do not build
//   has DEVICE        its device is called so, and it builds sixteen configurations at once
//   without           its device is not there
//   energy P J        tells these joules for the pace and for every other configuration
//   disturbs_pace N   of each race with another configuration, the pace's first N samples take ten times as long
//   disturbs_first N  of the pace's race with itself, the first N samples take ten times as long
//   waits S           says at its first race that it waits for another kernelgen, and does so for these seconds
//   dies_racing N     ends itself in the race after so many with several configurations, once the first pairs are told
//   dies_timing       ends itself when it is to time finalists
//   bench L M U       its whole timings give this interval of the speedup, and its median
//   verifies S        takes so many seconds for a whole verification, unless it is cancelled
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <iostream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>
#include <vector>

#include "core/backend/backend.h"
#include "core/backend/build_cache.h"
#include "core/base/line_channel.h"
#include "core/bench/race.h"
#include "core/measure/device_lock.h"
#include "core/measure/statistics.h"
#include "core/tune/tuning.h"
#include "core/worker/messages.h"

namespace {

using namespace kernelgen;
using nlohmann::json;

void sleep_for(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

struct Behaviour {
    double slower = 1, late = 0;
    std::string deadly_name, wrong_name, unbuilt_name, device = "cpu";
    std::int64_t deadly_value = 0, wrong_value = 0, unbuilt_value = 0;
    Status wrong_status = Status::mismatch;
    int dies_after = 1'000'000, dies_racing = 1'000'000;
    bool fails = false, without = false, dies_timing = false;
    std::size_t disturbs_pace = 0, disturbs_first = 0;
    double waits = 0;
    Speedup bench = {.median = 2, .lower = 1.9, .upper = 2.1, .ratio_of_medians = 2, .p_value = 0, .pairs = 40};
    double pace_joules = 0, joules = 0, verification = 0;
};

class FakeWorker {
public:
    FakeWorker(Tuning recorded, Behaviour behaviour) : recorded_(std::move(recorded)), behaviour_(behaviour) {}

    int serve();

private:
    json answer(const json& request);
    json devices() const;
    json build(const json& request);
    json verify(const json& request);
    bool waits(std::int64_t request, double seconds);
    void cancel(std::int64_t request);
    void disturb(RaceResult& result, bool is_pace) const;
    json race(const json& request);
    void wait_for_device(const json& request);
    void tell_first_pairs(const json& request, json results);
    json bench(const json& request) const;
    Tried recorded(const json& implementation) const;

    Tuning recorded_;
    Behaviour behaviour_;
    LineChannel channel_{STDIN_FILENO, STDOUT_FILENO};
    std::atomic<int> builds_ = 0;
    std::mutex mutex_;
    std::set<std::int64_t> cancelled_;
    std::vector<std::jthread> building_;
};

/// A variant without tunables takes no time.
Tried FakeWorker::recorded(const json& implementation) const {
    const Configuration configuration = implementation.at("configuration");
    const auto found = std::ranges::find(recorded_.tried, configuration, &Tried::configuration);
    return found == recorded_.tried.end() ? Tried{} : *found;
}

json FakeWorker::devices() const {
    json all = json::array();
    for (const std::string& name : std::set<std::string>{behaviour_.device, "cpu"}) {
        DeviceInfo device;
        device.name = behaviour_.without ? "cuda:7" : name;
        device.available = true;
        device.environment.hardware = "a simulated device";
        device.numbers = {{"threads", behaviour_.device == "cpu" ? 1 : 16}};
        all.push_back({{"info", to_json(device)}, {"ceilings", nullptr}});
    }
    return all;
}

json FakeWorker::build(const json& request) {
    const Tried tried = recorded(request.at("implementation"));
    const auto deadly = tried.configuration.find(behaviour_.deadly_name);
    if (deadly != tried.configuration.end() && deadly->second == behaviour_.deadly_value) std::_Exit(7);
    if (++builds_ > behaviour_.dies_after) std::_Exit(7);
    sleep_for(tried.build_seconds);
    BuildResult result;
    result.seconds = tried.build_seconds;
    const auto unbuilt = tried.configuration.find(behaviour_.unbuilt_name);
    if (unbuilt != tried.configuration.end() && unbuilt->second == behaviour_.unbuilt_value)
        end_build(result, Status::build_failed, "small.cpp:3: a tile is too wide");
    return to_json(result);
}

/// Whether nobody cancelled the request meanwhile.
bool FakeWorker::waits(std::int64_t request, double seconds) {
    constexpr double step = 0.01;
    for (double waited = 0; waited < seconds; waited += step) {
        {
            const std::lock_guard lock(mutex_);
            if (cancelled_.contains(request)) return false;
        }
        sleep_for(step);
    }
    return true;
}

json FakeWorker::verify(const json& request) {
    if (request.value("is_screen", false)) sleep_for(recorded(request.at("candidate")).screen_seconds);
    VerifyResult result;
    const bool is_whole = !request.value("is_screen", false) && !request.value("own_cases_only", false);
    if (is_whole && !waits(request.at("id"), behaviour_.verification)) {
        result.status = Status::cancelled;
        return to_json(result);
    }
    const Configuration configuration = request.at("candidate").at("configuration");
    const auto wrong = configuration.find(behaviour_.wrong_name);
    if (behaviour_.fails || (wrong != configuration.end() && wrong->second == behaviour_.wrong_value)) {
        result.status = behaviour_.wrong_status;
        result.reason = "nothing is right here";
    }
    return to_json(result);
}

void FakeWorker::disturb(RaceResult& result, bool is_pace) const {
    const std::size_t count = is_pace ? behaviour_.disturbs_first : behaviour_.disturbs_pace;
    for (std::size_t i = 0; i < std::min(count, result.seconds.size()); ++i) {
        if (is_pace) result.seconds[i] *= 10;
        result.pace_seconds[i] *= 10;
    }
}

void FakeWorker::wait_for_device(const json& request) {
    if (behaviour_.waits == 0) return;
    const auto tell = [&](const std::string& stage) {
        channel_.write({{"id", request.at("id")}, {"event", "progress"}, {"stage", stage}, {"done", 0}, {"total", 0}});
    };
    tell(std::string(waiting_for_lock) + " race");
    sleep_for(std::exchange(behaviour_.waits, 0));
    tell("race");
}

/// In the race with which it dies, of which nothing else is known.
void FakeWorker::tell_first_pairs(const json& request, json results) {
    if (results.size() < 2 || --behaviour_.dies_racing >= 0) return;
    for (json& each : results) {
        for (const char* samples : {"seconds", "pace_seconds"})
            each[samples].erase(each[samples].begin() + 4, each[samples].end());
    }
    if (request.value("tells_first_pairs", false))
        channel_.write({{"id", request.at("id")}, {"event", "news"}, {"news", results}});
    std::_Exit(7);
}

json FakeWorker::race(const json& request) {
    wait_for_device(request);
    const double pace = behaviour_.slower * recorded(request.at("baseline")).seconds;
    json results = json::array();
    const bool is_one = request.contains("candidate");
    for (const json& candidate : is_one ? json::array({request.at("candidate")}) : request.at("candidates")) {
        const Tried tried = recorded(candidate);
        sleep_for(tried.race_seconds);
        RaceResult result;
        const std::size_t pairs = request.at("most_pairs");
        result.seconds.assign(pairs, behaviour_.slower * tried.seconds);
        result.pace_seconds.assign(pairs, pace);
        result.pace_energy = behaviour_.pace_joules;
        const bool is_pace = candidate.at("configuration") == request.at("baseline").at("configuration");
        result.energy = is_pace ? behaviour_.pace_joules : behaviour_.joules;
        disturb(result, is_pace);
        result.ratio = 1 / speedup_of(result.seconds, result.pace_seconds).median;
        results.push_back(to_json(result));
    }
    tell_first_pairs(request, results);
    return results;
}

json FakeWorker::bench(const json& request) const {
    if (behaviour_.dies_timing) std::_Exit(7);
    BenchResult result;
    result.speedup = behaviour_.bench;
    if (!request.contains("candidates")) return to_json(result);
    return json(request.at("candidates").size(), to_json(result));
}

json FakeWorker::answer(const json& request) {
    const std::string operation = request.at("op");
    if (operation == "capabilities") return devices();
    if (operation == "build") return build(request);
    if (operation == "verify") return verify(request);
    if (operation == "race") return race(request);
    return bench(request);
}

void FakeWorker::cancel(std::int64_t request) {
    const std::lock_guard lock(mutex_);
    cancelled_.insert(request);
}

/// Builds run beside everything else, as a worker's do, and verifications, which may be cancelled; all the rest is done
/// in order.
int FakeWorker::serve() {
    sleep_for(behaviour_.late);
    channel_.write({{"event", "hello"}, {"protocol", worker_protocol_version}});
    while (const auto line = channel_.read_line()) {
        const json request = json::parse(*line);
        const auto reply = [this, request] {
            channel_.write({{"id", request.at("id")}, {"event", "result"}, {"result", answer(request)}});
        };
        if (request.at("op") == "build" || request.at("op") == "verify") building_.emplace_back(reply);
        else if (request.at("op") == "ceilings")
            channel_.write({{"id", request.at("id")}, {"event", "error"}, {"message", "has none"}});
        else if (request.at("op") != "cancel") reply();
        else cancel(request.at("target"));
    }
    return 0;
}

Tuning read(const char* path) {
    Tuning tuning;
    std::ifstream file(path);
    bool is_first = true;
    for (std::string line; std::getline(file, line); is_first = false) {
        if (const auto read = read_tuning_line(line, is_first, tuning); !read) std::cerr << read.error().message;
    }
    return tuning;
}

Behaviour behaviour_of(const std::vector<std::string>& words) {
    Behaviour behaviour;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] == "slower") behaviour.slower = std::stod(words[++i]);
        if (words[i] == "late") behaviour.late = std::stod(words[++i]);
        if (words[i] == "dies_after") behaviour.dies_after = std::stoi(words[++i]);
        if (words[i] == "dies_racing") behaviour.dies_racing = std::stoi(words[++i]);
        if (words[i] == "verifies") behaviour.verification = std::stod(words[++i]);
        if (words[i] == "disturbs_pace") behaviour.disturbs_pace = std::stoul(words[++i]);
        if (words[i] == "disturbs_first") behaviour.disturbs_first = std::stoul(words[++i]);
        if (words[i] == "waits") behaviour.waits = std::stod(words[++i]);
        if (words[i] == "bench") {
            behaviour.bench.lower = std::stod(words[++i]);
            behaviour.bench.median = std::stod(words[++i]);
            behaviour.bench.upper = std::stod(words[++i]);
        }
        if (words[i] == "fails" || words[i] == "lacks") behaviour.fails = true;
        if (words[i] == "lacks") behaviour.wrong_status = Status::unavailable;
        if (words[i] == "dies_timing") behaviour.dies_timing = true;
        if (words[i] == "without") behaviour.without = true;
        if (words[i] == "has") behaviour.device = words[++i];
        if (words[i] == "energy") {
            behaviour.pace_joules = std::stod(words[++i]);
            behaviour.joules = std::stod(words[++i]);
        }
        if (words[i] == "dies_with") {
            behaviour.deadly_name = words[++i];
            behaviour.deadly_value = std::stoll(words[++i]);
        }
        if (words[i] == "unbuilt") {
            behaviour.unbuilt_name = words[++i];
            behaviour.unbuilt_value = std::stoll(words[++i]);
        }
        if (words[i] != "wrong" && words[i] != "hangs") continue;
        if (words[i] == "hangs") behaviour.wrong_status = Status::timed_out;
        behaviour.wrong_name = words[++i];
        behaviour.wrong_value = std::stoll(words[++i]);
    }
    return behaviour;
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 2) return 9;
    return FakeWorker(read(arguments[1]), behaviour_of({arguments + 2, arguments + count})).serve();
}
