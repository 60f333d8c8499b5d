// SPDX-License-Identifier: Apache-2.0
// What the checklist over an operator's Python files says: formats, as in core/base/sentences.h.
#pragma once

#include <string_view>

namespace kernelgen::sentences {

// Files
inline constexpr std::string_view file_missing = "the file cannot be read";
inline constexpr std::string_view put_it_back = "write it again with `kernelgen check --fix`, or put it back";
inline constexpr std::string_view python_syntax = "syntax error: {}";  // of resources/python/kernelgen_sources.py
inline constexpr std::string_view python_unreadable = "cannot be read as Python: {}";
inline constexpr std::string_view correct_file = "correct the file";

// The function and its parameters
inline constexpr std::string_view is_lambda =
    "`{}` is a lambda, whose parameters cannot be held against the definition";
inline constexpr std::string_view write_def = "write it as a `def`";
inline constexpr std::string_view function_missing = "there is no function `{}`";
inline constexpr std::string_view define_it = "define it: def {}({})";
inline constexpr std::string_view other_count = "`{}` has {} parameters ({}) where the definition has {} ({})";
inline constexpr std::string_view make_it_or_change = "make it {}, or change the definition";
inline constexpr std::string_view other_name = "parameter `{}` of `{}` is not the definition's";
inline constexpr std::string_view make_it_or_rename = "make it {}, or rename it in the definition";
inline constexpr std::string_view other_order = "`{}` takes {} where the definition's order is {}";
inline constexpr std::string_view put_in_order =
    "put the parameters in the definition's order: tensors are passed by position";
inline constexpr std::string_view by_name_only =
    "parameter `{}` of `{}` can be given by name only, and the tests pass tensors by position";
inline constexpr std::string_view by_position_only =
    "parameter `{}` of `{}` can be given by position only, and numbers are passed by name";
inline constexpr std::string_view allow_both = "move it between `/` and `*`, or remove those";
inline constexpr std::string_view other_default =
    "parameter `{}` of `{}` has the default {} where the definition has {}";
inline constexpr std::string_view fix_default = "write the definition's value, or change the definition";
inline constexpr std::string_view is_tensor = "parameter `{}` is annotated `{}`, and is a tensor in the definition";
inline constexpr std::string_view is_number = "parameter `{}` is annotated `{}`, and is a number in the definition";
inline constexpr std::string_view annotate = "annotate it {}";
inline constexpr std::string_view other_return =
    "`{}` is annotated to return `{}`, and the definition's outputs are {}";
inline constexpr std::string_view no_return = "no `return` of `{}` gives the definition's outputs: {}";
inline constexpr std::string_view early_return =
    "a `return` of `{}` gives {} values, and the definition's outputs are {}";
inline constexpr std::string_view return_one = "return the output: -> torch.Tensor";
inline constexpr std::string_view return_several = "return the outputs in order, as a tuple";
inline constexpr std::string_view unchecked = "`{}` does not check its input `{}`, and the other file's does";
inline constexpr std::string_view check_alike = "assert the same conditions in {} and {}";

// The launch and the tunables
inline constexpr std::string_view hidden_kernel =
    "the launch does not reach the kernel `{}`: the function of the same name in line {} takes its place when the file "
    "is imported";
inline constexpr std::string_view too_many_passed =
    "the launch passes {} arguments by position to `{}`, which has {} parameters";
inline constexpr std::string_view misnamed_passed = "the launch passes `{}`, which `{}` has not; {}";
inline constexpr std::string_view unknown_passed = "the launch passes `{}`, which `{}` has not";
inline constexpr std::string_view passed_twice = "the launch passes `{}` by position and by name";
inline constexpr std::string_view not_passed = "the launch does not pass `{}` of `{}`";
inline constexpr std::string_view grid_too_small =
    "the launch has a grid of rank {}, and `{}` asks for tl.program_id({})";
inline constexpr std::string_view make_launch_agree = "make the launch and the kernel's parameters (line {}) agree";
inline constexpr std::string_view no_literal = "the tunable `{}` has no literal in `{}`";
inline constexpr std::string_view write_literal = "write `{} = {}` once in its body, or remove the tunable";
inline constexpr std::string_view other_literal = "`{}` is {} here and {} in project.json";
inline constexpr std::string_view fix_literal = "`kernelgen check --fix` writes project.json's value into the file";

// The tests
inline constexpr std::string_view other_import = "imports `{}` from {}, whose function is `{}`";
inline constexpr std::string_view import_missing = "does not import `{}` from {}";
inline constexpr std::string_view other_tolerance = "the test's tolerance is {}, and the project's {}";
inline constexpr std::string_view state_alike = "state the same in both: `accuracy` in project.json";
inline constexpr std::string_view other_case_listed = "the file lists the case {}, which is no case of the project";
inline constexpr std::string_view other_case_called = "`{}` is called with {}, which is no case of the project";
inline constexpr std::string_view add_case = "add the case to project.json, or test the project's";

// In the table
inline constexpr std::string_view no_function = "no function";
inline constexpr std::string_view not_annotated = "not annotated";
inline constexpr std::string_view no_import = "no import";
inline constexpr std::string_view no_launch = "no launch in the wrapper";
inline constexpr std::string_view not_followed = "not followed";

}  // namespace kernelgen::sentences
