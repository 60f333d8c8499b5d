// SPDX-License-Identifier: Apache-2.0
#include "core/host/fault_handler.h"

#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <span>

#include "core/backend/executor_service.h"

namespace kernelgen {
namespace {

// The variables that the handler reads: a signal handler can only reach global ones.
std::span<const GuardedRange> guarded;
bool expects_unaligned = false;
ExecutorConnection* answered = nullptr;
std::atomic_flag replying;
constexpr std::array faults = {SIGSEGV, SIGBUS};
std::array<struct sigaction, faults.size()> handlers_before;

/// Where several threads fault at once, the first replies and ends the process; in the others this never returns.
void become_the_replier() {
    if (!replying.test_and_set()) return;
    for (;;) ::pause();
}

[[noreturn]] void reply_and_end(const char* text) {
    answered->answer_from_handler({text, std::strlen(text)});
    ::_exit(1);
}

const char* access_kind([[maybe_unused]] const ucontext_t* context) {
#if defined(__x86_64__)
    constexpr greg_t write_access = 2;
    return context->uc_mcontext.gregs[REG_ERR] & write_access ? "writes" : "reads";
#else
    return "touches";
#endif
}

bool is_alignment_fault(int signal, const siginfo_t& info) {
    if (signal == SIGBUS) return info.si_code == BUS_ADRALN;
    return info.si_code == SI_KERNEL && info.si_addr == nullptr;  // x86: a general protection fault
}

void restore_handlers() {
    for (std::size_t i = 0; i < faults.size(); ++i) ::sigaction(faults[i], &handlers_before[i], nullptr);
}

void on_fault(int signal, siginfo_t* info, void* context) {
    static char text[1024];
    const auto* address = static_cast<const std::byte*>(info->si_addr);
    if (expects_unaligned && is_alignment_fault(signal, *info)) {
        become_the_replier();
        reply_and_end("{\"status\":\"ok\",\"misaligned\":true,\"ends\":true}\n");
    }
    for (const GuardedRange& range : guarded) {
        if (address < range.mapping || address >= range.mapping + range.mapped) continue;
        become_the_replier();
        const char* access = access_kind(static_cast<const ucontext_t*>(context));
        const bool after = address >= range.data;
        const auto distance = after ? address - (range.data + range.bytes) + 1 : range.data - address;
        std::snprintf(text, sizeof text,
                      "{\"status\":\"out_of_bounds\",\"ends\":true,\"reason\":\"the kernel %s byte %td %s of `%s`\","
                      "\"reason_said\":{\"id\":\"%s_%s\",\"arguments\":[\"%td\",\"%s\"]}}\n",
                      access, distance, after ? "past the end" : "before the start", range.name.c_str(), access,
                      after ? "past_end" : "before_start", distance, range.name.c_str());
        reply_and_end(text);
    }
    // The fault is not on a guarded range: back in the kernel the same instruction faults again and ends the process,
    // after Python's handler, where there is one, has said at which line.
    restore_handlers();
}

void install() {
    struct sigaction action{};
    action.sa_flags = SA_SIGINFO;
    action.sa_sigaction = on_fault;
    for (std::size_t i = 0; i < faults.size(); ++i) ::sigaction(faults[i], &action, &handlers_before[i]);
}

}  // namespace

FaultHandler::FaultHandler(std::vector<GuardedRange> ranges, bool unaligned, ExecutorConnection& connection)
    : ranges_(std::move(ranges)) {
    guarded = ranges_;
    expects_unaligned = unaligned;
    answered = &connection;
    install();
}

FaultHandler::~FaultHandler() {
    restore_handlers();
    guarded = {};
}

}  // namespace kernelgen
