// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

#include "core/base/keeper.h"
#include "core/base/process.h"

namespace kernelgen::testing {

/// A text of at most 15 characters that no other process has: as an argument, or as its name (PR_SET_NAME).
inline std::string new_mark() {
    static int made = 0;
    return "9" + std::to_string(::getpid()) + "." + std::to_string(100 + ++made);
}

inline std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();  // does not throw where a process has ended meanwhile
    return text.str();
}

/// Living processes that bear the mark.
inline int count_marked(const std::string& mark) {
    int count = 0;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
        const std::string name = entry.path().filename();
        if (!std::ranges::all_of(name, [](unsigned char c) { return std::isdigit(c); })) continue;
        const bool bears = text_of(entry.path() / "comm").starts_with(mark) ||
                           text_of(entry.path() / "cmdline").find(mark) != std::string::npos;
        if (bears && text_of(entry.path() / "stat").find(") Z") == std::string::npos) ++count;
    }
    return count;
}

/// Whether executors have a PID namespace here.
inline bool namespaces_are_allowed() {
    Command command;
    command.arguments = keeper_command({"sh", "-c", "echo $PPID"});
    command.keeper = true;
    const auto finished = run_to_end(command);
    return finished && finished->output == "1\n";
}

/// Waits for it, ten seconds at most.
template <class Condition>
bool soon(Condition condition) {
    for (int attempt = 0; attempt < 500; ++attempt) {
        if (condition()) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return condition();
}

}  // namespace kernelgen::testing
