// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>
#include <string_view>

namespace kernelgen::studio::testing {

/// Makes a class of tests known to the program, which runs it by the name of its file: `test_studio undo_test`.
class Registered {
public:
    /// `file`: the name of the source, with ".cpp".
    Registered(std::string_view file, int (*run)(int argc, char** argv));
};

template <class Tests>
extern const Registered registered;

}  // namespace kernelgen::studio::testing

/// Stands once in a file of tests, after its class.
#define STUDIO_TEST(Class)                                                                      \
    template <>                                                                                 \
    const kernelgen::studio::testing::Registered kernelgen::studio::testing::registered<Class>( \
        __FILE_NAME__, [](int argc, char** argv) {                                              \
            Class tests;                                                                        \
            return QTest::qExec(&tests, argc, argv);                                            \
        });
