// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "core/project/project.h"

namespace kernelgen {

/// How a judge's entry is called (docs/EXECUTOR_PROTOCOL.md).
struct Judging {
    bool in_float64 = false;  ///< with float64 for the narrower dtypes that its text names
    int noise = 0;            ///< a seed of errors that operations make; 0: none
    int ties = 0;             ///< -1, 1: what is near a tie is rounded down, up

    bool operator==(const Judging&) const = default;
};

/// A Python file as an executor runs it: the executor executes the text, with the configuration's values in it. Of
/// language `extension` the text is not needed: the executor loads the built file.
struct PythonSource {
    std::string file;  ///< name of the file, for messages
    std::string text;
    std::string entry;
    Configuration configuration;
    bool compile = false;        ///< called through torch.compile
    double compile_seconds = 0;  ///< time for compilation, added to a call's limit; not sent to the executor
    SourceFiles files = {};      ///< the project's other files, which it may import
    Judging judges = {};
    CallableRole callable = {};  ///< of family `callable`
    std::string interface = {};  ///< as of Variant
};

/// An artifact that an executor can load: a built file, a library's primitive, or a Python file.
struct Artifact {
    Language language = Language::cpp;
    std::string path;     ///< shared object or cubin
    std::string library;  ///< of language `library`: the library's name
    std::string primitive;
    PythonSource python;
    std::map<std::string, std::string> symbols = {};  ///< of a cubin: for each entry that is a name expression
};

/// The name that an entry has in the artifact's file.
const std::string& symbol_of(const Artifact& artifact, const std::string& entry);

}  // namespace kernelgen
