// SPDX-License-Identifier: Apache-2.0
// The checklist under construction; checklist.h is what others use.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/files/checklist.h"

namespace kernelgen {

/// A file that defines the operator's function.
struct FileSide {
    FileRole role;
    std::string file, entry;
    const PythonFile* parsed = nullptr;
    const PythonFunction* function = nullptr;
};

class ChecklistBuilder {
public:
    ChecklistBuilder(const Project& project, const std::map<std::string, PythonFile>& files,
                     const std::map<std::string, PythonTests>& tests, Consistency& result);
    void fill();

private:
    FileSide side(FileRole role, const Variant* variant) const;
    const PythonFile* file_of(FileRole role) const;
    ChecklistRow& row(Aspect aspect);
    void set(Aspect aspect, FileRole role, bool agrees, Said text);
    void note(Aspect aspect, FileRole role, Said text);
    void mismatch(const std::string& file, int line, Said message, Said advice);

    void check_readable(FileRole role);
    void check_name(const FileSide& side);
    void check_parameters(const FileSide& side);
    void check_kinds(const FileSide& side, const std::vector<PythonParameter>& parameters);
    void check_defaults(const FileSide& side, const std::vector<PythonParameter>& parameters);
    bool has_generated_tests() const;
    std::string_view type_of_number(const std::string& name) const;
    void check_order(const FileSide& side, const std::vector<std::string>& names);
    void check_types(const FileSide& side);
    void check_return(const FileSide& side);
    void check_input_checks();
    void check_launches();
    void check_launch(const PythonLaunch& launch, const PythonKernel& kernel, std::vector<Said>& faults) const;
    void check_tunables();
    void check_imports(FileRole role);
    void check_tolerances(FileRole role, const PythonTests& tests);
    void check_cases(FileRole role, const PythonTests& tests);
    void check_tests(FileRole role);
    void state_definition();

    const Project& project_;
    const Variant& wrapper_;
    const std::map<std::string, PythonFile>& files_;
    const std::map<std::string, PythonTests>& tests_;
    Consistency& result_;
    std::vector<std::string> expected_;  ///< parameters: inputs, symbols that no input has, attributes
    FileSide kernel_, baseline_;
};

/// "rtol 0.001, atol 0.001"
std::string tolerance_text(const Tolerance& tolerance);

}  // namespace kernelgen
