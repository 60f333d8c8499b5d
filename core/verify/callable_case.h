// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/backend/trial.h"
#include "core/project/project.h"

namespace kernelgen {

/// One case of a `callable` operator, as its Python file describes it: an operator with known inputs and outputs. Each
/// input is the memory that one or several tensors of the arguments share. Bits of dtypes that the judge does not have
/// are held in one that it has: an int64 as two i32, a bool as an i8 (docs/CALLABLE.md).
struct CallableCase {
    Operator definition;
    CallableRole role;                  ///< of a side, with the signature
    std::optional<Accuracy> tolerance;  ///< the file's own
    std::vector<Said> remarks;          ///< what the definition leaves out of its inputs' variations
    bool only_cases = false;            ///< there are no sizes but those of its cases

    /// The implementation as a side of this case.
    Implementation side(Implementation implementation) const;
};

/// Executes the definition in a process that runs no other code, makes inputs of two seeds and calls the reference
/// twice. Errors: the code fails (with its line), or says nothing that could be judged.
Outcome describe_case(const Operator& definition, const std::optional<Implementation>& reference, const Case& binding,
                      Backend& backend, const std::string& device, double timeout_seconds, std::stop_token stop,
                      CallableCase& found);

/// A case with sizes that the project does not have; its name tells them.
struct SizedCase {
    Case binding;
    CallableCase described;
};

/// Other sizes for a definition that has its sizes as integers of its file, as KernelBench's problems have: a few small
/// and odd ones that the reference takes. Empty for other definitions.
std::vector<SizedCase> other_sizes(const Operator& definition, const Implementation& reference, const Case& own,
                                   Backend& backend, const std::string& device, double timeout_seconds,
                                   std::stop_token stop);

/// The question to a process that executes a definition: its role, and what that role must know.
struct DefinitionQuestion {
    std::string role;   ///< of CallableRole
    std::string asked;  ///< its `signature`
};

/// Executes the definition in a process that runs no other code; `report` has the texts that answer.
Outcome ask_definition(const Implementation& definition, const DefinitionQuestion& question, const Case& binding,
                       Backend& backend, const std::string& device, double timeout_seconds, std::stop_token stop,
                       TrialReport& report);

/// The artifact by which an executor loads the definition in a role.
Artifact artifact_of_definition(const Implementation& definition);

/// The project's tolerances, or where it has none those of the definition.
Accuracy accuracy_of(const Accuracy& project, const CallableCase& found);

}  // namespace kernelgen
