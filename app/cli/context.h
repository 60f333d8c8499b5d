// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "core/base/result.h"
#include "core/base/status.h"
#include "core/engine/run.h"
#include "core/project/project.h"
#include "core/worker/client.h"

namespace kernelgen::cli {

/// Exit statuses, as `kernelgen --help` lists them.
enum ExitStatus {
    exit_done = 0,
    exit_usage = 1,
    exit_build = 2,
    exit_not_verified = 3,
    exit_not_run = 4,
    exit_target_missed = 5,
    exit_slower = 6,     ///< `gate`: slower or less accurate than the baseline
    exit_ambiguous = 7,  ///< `gate --strict`: the verdict is ambiguous
    exit_cancelled = 130,
};

int exit_status_of(Status status);

/// The state that all commands share.
struct Context {
    std::string program;                            ///< this executable, started again as worker and executor
    std::vector<std::vector<std::string>> workers;  ///< each --worker; none: this program
    bool json = false;
    std::stop_source interrupted;  ///< by Ctrl-C or SIGTERM
    int exit_status = exit_done;

    Result<std::unique_ptr<WorkerClient>> start_worker() const;  ///< of several the first
    Result<std::unique_ptr<WorkerClient>> start_worker(std::stop_token stop) const;
};

/// Prints an error to stderr.
void complain(const Diagnostics& diagnostics);
void complain(const Error& error);

/// Ends a command that has printed nothing: prints the error to stderr and, with --json, as the document to stdout.
/// Returns the exit status: for diagnostics that of wrong usage, for an error after Ctrl-C that of a cancellation.
int report(const Context& context, const Diagnostics& diagnostics);
int report(const Context& context, const Error& error, int status = exit_usage);

/// A JSON document as text, and printed to stdout.
std::string json_text(const nlohmann::ordered_json& document);
void print_json(const nlohmann::ordered_json& document);

/// Prints the documents of a command's variants: one alone as it is, several as `{"variants": […]}`.
void print_variants_json(const std::vector<nlohmann::ordered_json>& documents);

/// Prints progress to stderr: one line that is rewritten, only where stderr is a terminal.
Progress terminal_progress();
void clear_progress();

/// Requests the context's stop at SIGINT and SIGTERM; a second signal ends the program at once. Must be made before the
/// first thread is started.
class InterruptGuard {
public:
    explicit InterruptGuard(const std::stop_source& source);
    ~InterruptGuard();

private:
    std::jthread thread_;
};

}  // namespace kernelgen::cli
