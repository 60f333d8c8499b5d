// SPDX-License-Identifier: Apache-2.0
// An executor that does what its arguments say, one after the other:
//   hello        greets as an executor does
//   say TEXT     writes TEXT as a line, whatever was asked
//   read         waits for a request
//   serve        answers every request with status ok
//   answer       greets and answers as `serve`, after it has read what was asked
//   play         greets and answers as an executor in which each artifact does what its path says (`Player`)
//   oom          answers with its oom_score_adj as the reason
//   flood        writes a line that does not end
//   scribble     writes nonsense over all positions of the mailbox
//   exit N, kill, wait
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <format>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <thread>

#include "core/backend/executor_replies.h"
#include "core/backend/executor_service.h"
#include "core/measure/metrics.h"

namespace {

using namespace kernelgen;

void flood(ExecutorConnection& connection) {
    const std::string piece(1 << 20, 'x');
    for (;;) connection.answer_from_handler(piece);
}

/// Finds the mailbox as a kernel would.
void scribble() {
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        if (!line.contains("kernelgen-mailbox")) continue;
        const std::size_t begin = std::stoull(line, nullptr, 16);
        const std::size_t end = std::stoull(line.substr(line.find('-') + 1), nullptr, 16);
        std::memset(reinterpret_cast<void*>(begin), 0xa5, end - begin);
    }
}

void answer_with_oom_score(ExecutorConnection& connection) {
    std::ifstream file("/proc/self/oom_score_adj");
    std::string score;
    std::getline(file, score);
    connection.write_line(std::format(R"({{"status": "unavailable", "reason": "{}"}})", score));
}

/// Plays timed calls. An artifact's path has words: first how long a call takes in seconds, then what it does besides:
/// `wrong` leaves wrong outputs, `overwrites` changes the inputs of all that are called after it, `crashes` ends the
/// process, `sleeps` makes a call last so long, and `joules` is followed by the energy of a call. Right outputs are a
/// copy of the first input.
class Player {
public:
    explicit Player(ExecutorConnection& connection) : connection_(connection) {}

    Reply handle(const Request& request) {
        Reply reply;
        if (const auto* load = std::get_if<LoadRequest>(&request)) paths_[load->slot] = load->artifact.path;
        if (const auto* prepare = std::get_if<PrepareRequest>(&request)) layout_ = prepare->layout;
        if (std::holds_alternative<PrepareRequest>(request) || std::holds_alternative<RefillRequest>(request))
            is_spoilt_ = false;
        if (const auto* sampled = std::get_if<SampleRequest>(&request)) reply.samples = sample(*sampled);
        return reply;
    }

private:
    struct Kernel {
        double seconds = 0, joules = 0;
        bool is_wrong = false, overwrites = false, crashes = false, sleeps = false;
    };

    static Kernel kernel_of(const std::string& path) {
        Kernel kernel;
        std::istringstream words(path);
        words >> kernel.seconds;
        for (std::string word; words >> word;) {
            if (word == "wrong") kernel.is_wrong = true;
            if (word == "overwrites") kernel.overwrites = true;
            if (word == "crashes") kernel.crashes = true;
            if (word == "sleeps") kernel.sleeps = true;
            if (word == "joules") words >> kernel.joules;
        }
        return kernel;
    }

    Samples sample(const SampleRequest& request) {
        const auto begin = std::chrono::steady_clock::now();
        Samples samples;
        samples.seconds.resize(paths_.size());
        samples.checksums.resize(paths_.size());
        double joules = 0, told = 0;
        for (const std::vector<int>& turn : request.turns) {
            for (const int side : turn) {
                if (side == SampleRequest::nobody) continue;
                const Kernel kernel = kernel_of(paths_.at(side));
                if (kernel.crashes) ::raise(SIGKILL);
                if (kernel.sleeps) std::this_thread::sleep_for(std::chrono::duration<double>(kernel.seconds));
                const bool is_right = !kernel.is_wrong && !is_spoilt_;
                is_spoilt_ = is_spoilt_ || kernel.overwrites;
                samples.seconds.at(static_cast<std::size_t>(side)).push_back(kernel.seconds);
                if (request.key != 0) samples.checksums.at(static_cast<std::size_t>(side)).push_back(is_right ? 1 : 2);
                if (request.capture && request.capture->side == side) leave_outputs(is_right);
                joules += kernel.joules;
                told += kernel.seconds;
            }
        }
        if (joules > 0) samples.conditions[metrics::energy_j.name] = joules;
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
        samples.outside_seconds = std::max(0.0, passed.count() - told);
        return samples;
    }

    void leave_outputs(bool is_right) {
        std::byte* const arena = connection_.arena().data(layout_.total);
        const Region &input = layout_.inputs.at(0), &output = layout_.outputs.at(0);
        if (is_right) std::memcpy(arena + output.offset, arena + input.offset, output.bytes);
        else std::memset(arena + output.offset, 0x7f, output.bytes);
    }

    ExecutorConnection& connection_;
    std::map<int, std::string> paths_;
    Layout layout_;
    bool is_spoilt_ = false;
};

int play(ExecutorConnection& connection) {
    Player player(connection);
    return serve_executor(connection, "fake", [&](const Request& request) { return player.handle(request); });
}

}  // namespace

int main(int count, char** arguments) {
    const auto connection = ExecutorConnection::open();
    if (!connection) return 9;
    for (int i = 1; i < count; ++i) {
        const std::string what = arguments[i];
        if (what == "hello") (*connection)->write_line(greeting_line("fake"));
        if (what == "say") (*connection)->write_line(arguments[++i]);
        if (what == "read") (*connection)->read_line();
        while (what == "serve" && (*connection)->read_line()) (*connection)->write_line(R"({"status": "ok"})");
        if (what == "answer") return serve_executor(**connection, "fake", [](const Request&) { return Reply{}; });
        if (what == "play") return play(**connection);
        if (what == "oom") answer_with_oom_score(**connection);
        if (what == "flood") flood(**connection);
        if (what == "scribble") scribble();
        if (what == "exit") return std::stoi(arguments[++i]);
        if (what == "kill") ::raise(SIGKILL);
        if (what == "wait") ::pause();
    }
    return 0;
}
