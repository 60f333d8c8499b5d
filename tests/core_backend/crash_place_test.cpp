// SPDX-License-Identifier: Apache-2.0
#include "core/backend/crash_place.h"

#include <gtest/gtest.h>

namespace kernelgen {
namespace {

const std::string fatal = "Fatal Python error: Segmentation fault\n\nStack (most recent call first):\n";

TEST(CrashPlace, IsTheInnermostLineOfAFileThatIsNotInstalled) {
    EXPECT_EQ(crash_place("it prints\n" + fatal +
                          "  File \"/usr/lib/python3.13/ctypes/__init__.py\", line 559 in string_at\n"
                          "  File \"/tmp/kernelgen_1/a folder/definition.py\", line 6 in reference\n"
                          "  File \"/tmp/a folder/definition.py\", line 60 in inputs\n"),
              "definition.py:6, in reference");
}

TEST(CrashPlace, IsUnknownWhereOnlyInstalledFilesRan) {
    EXPECT_EQ(
        crash_place(fatal + "  File \"/opt/site-packages/torch/nn.py\", line 5 in forward\n"
                            "  File \"/opt/share/kernelgen_kernel.py\", line 7 in call\n\nExtension modules: a\n"),
        "");
}

TEST(CrashPlace, IsUnknownWhereTheDumpIsDamaged) {
    for (const std::string& printed :
         {std::string(), std::string("(most recent call first):"), fatal, fatal + "  File \"/tmp/a.py\", line x in f\n",
          fatal + "  File \"/tmp/a.py\"", fatal + "  File \"/tmp/a.py\", line 5"})
        EXPECT_EQ(crash_place(printed), "") << printed;
}

}  // namespace
}  // namespace kernelgen
