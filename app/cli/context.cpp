// SPDX-License-Identifier: Apache-2.0
#include "app/cli/context.h"

#include <pthread.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <nlohmann/json.hpp>

namespace kernelgen::cli {

int exit_status_of(Status status) {
    switch (status) {
        case Status::ok: return exit_done;
        case Status::restricted:
        case Status::build_failed:
        case Status::over_limit: return exit_build;
        case Status::out_of_bounds:
        case Status::input_modified:
        case Status::unwritten:
        case Status::mismatch:
        case Status::nondeterministic:
        case Status::implausible: return exit_not_verified;
        case Status::unavailable:
        case Status::launch_failed:
        case Status::crashed:
        case Status::timed_out: return exit_not_run;
        case Status::cancelled: return exit_cancelled;
    }
    return exit_not_run;
}

Result<std::unique_ptr<WorkerClient>> Context::start_worker() const { return start_worker(interrupted.get_token()); }

Result<std::unique_ptr<WorkerClient>> Context::start_worker(std::stop_token stop) const {
    return WorkerClient::start(workers.empty() ? std::vector<std::string>{program, "worker"} : workers.front(),
                               std::move(stop));
}

void complain(const Diagnostics& diagnostics) { std::cerr << to_string(diagnostics); }

void complain(const Error& error) {
    std::cerr << "kernelgen: " << error.message << (error.message.text().ends_with('\n') ? "" : "\n");
}

namespace {

int print_errors(const Context& context, const Diagnostics& diagnostics, int status) {
    if (!context.json) return status;
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Diagnostic& each : diagnostics) {
        list.push_back(
            {{"file", each.file}, {"where", each.where}, {"message", each.message}, {"suggestion", each.suggestion}});
    }
    print_json({{"errors", list}, {"exit_status", status}});
    return status;
}

}  // namespace

int report(const Context& context, const Diagnostics& diagnostics) {
    complain(diagnostics);
    const Status ended = diagnostics.empty() ? Status::ok : diagnostics.front().status;
    return print_errors(context, diagnostics, ended == Status::ok ? exit_usage : exit_status_of(ended));
}

int report(const Context& context, const Error& error, int status) {
    complain(error);
    if (context.interrupted.stop_requested()) status = exit_cancelled;
    return print_errors(context, {{"", "", error.message, ""}}, status);
}

std::string json_text(const nlohmann::ordered_json& document) {
    return document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

void print_json(const nlohmann::ordered_json& document) { std::cout << json_text(document); }

void print_variants_json(const std::vector<nlohmann::ordered_json>& documents) {
    print_json(documents.size() == 1 ? documents.front() : nlohmann::ordered_json{{"variants", documents}});
}

Progress terminal_progress() {
    if (::isatty(STDERR_FILENO) == 0) return [](std::string_view, int, int) {};
    return [](std::string_view stage, int done, int total) {
        std::string line(stage);
        if (total > 0) line += " " + std::to_string(done) + "/" + std::to_string(total);
        std::fprintf(stderr, "\r\033[K%.100s", line.c_str());
    };
}

void clear_progress() {
    if (::isatty(STDERR_FILENO) != 0) std::fprintf(stderr, "\r\033[K");
}

namespace {

sigset_t interrupt_signals() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    return signals;
}

}  // namespace

InterruptGuard::InterruptGuard(const std::stop_source& source) {
    const sigset_t signals = interrupt_signals();
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    thread_ = std::jthread([source, signals](std::stop_token stop) mutable {
        const timespec patience{.tv_sec = 0, .tv_nsec = 50'000'000};
        bool asked = false;
        while (!stop.stop_requested()) {
            if (sigtimedwait(&signals, nullptr, &patience) <= 0) continue;
            if (asked) std::_Exit(exit_cancelled);
            asked = true;
            std::fprintf(stderr, "\nstopping; once more to leave at once\n");
            source.request_stop();
        }
    });
}

InterruptGuard::~InterruptGuard() {
    thread_.request_stop();
    thread_.join();
    const sigset_t signals = interrupt_signals();
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

}  // namespace kernelgen::cli
