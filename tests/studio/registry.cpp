// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/studio/registry.h"

#include <QApplication>
#include <cstdio>
#include <map>
#include <string>

namespace kernelgen::studio::testing {

namespace {

using Run = int (*)(int argc, char** argv);

std::map<std::string, Run, std::less<>>& known() {
    static std::map<std::string, Run, std::less<>> classes;
    return classes;
}

}  // namespace

Registered::Registered(std::string_view file, Run run) { known().emplace(file.substr(0, file.rfind('.')), run); }

}  // namespace kernelgen::studio::testing

/// `test_studio NAME [QTEST ARGUMENT...]`
int main(int argc, char** argv) {
    const auto& classes = kernelgen::studio::testing::known();
    const auto chosen = classes.find(argc > 1 ? argv[1] : "");
    if (chosen == classes.end()) {
        std::fputs("usage: test_studio NAME [ARGUMENT...], where NAME is one of:\n", stderr);
        for (const auto& [name, run] : classes) std::fprintf(stderr, "  %s\n", name.c_str());
        return 2;
    }
    argv[1] = argv[0];
    QApplication application(argc, argv);
    QTEST_DISABLE_KEYPAD_NAVIGATION
    return chosen->second(argc - 1, argv + 1);
}
