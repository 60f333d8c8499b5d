// SPDX-License-Identifier: Apache-2.0
#include "core/project/names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

#include "core/lang/operations.h"
#include "core/project/own_files.h"

namespace kernelgen {

namespace {

constexpr std::size_t longest_name = 64;

constexpr std::string_view cpp_keywords[] = {
    "alignas",     "alignof",   "and",        "and_eq",    "asm",      "auto",         "bitand",
    "bitor",       "bool",      "break",      "case",      "catch",    "char",         "char8_t",
    "char16_t",    "char32_t",  "class",      "compl",     "concept",  "const",        "consteval",
    "constexpr",   "constinit", "const_cast", "continue",  "co_await", "co_return",    "co_yield",
    "decltype",    "default",   "delete",     "do",        "double",   "dynamic_cast", "else",
    "enum",        "explicit",  "export",     "extern",    "false",    "float",        "for",
    "friend",      "goto",      "if",         "inline",    "int",      "long",         "mutable",
    "namespace",   "new",       "noexcept",   "not",       "not_eq",   "nullptr",      "operator",
    "or",          "or_eq",     "private",    "protected", "public",   "register",     "reinterpret_cast",
    "requires",    "return",    "short",      "signed",    "sizeof",   "static",       "static_assert",
    "static_cast", "struct",    "switch",     "template",  "this",     "thread_local", "throw",
    "true",        "try",       "typedef",    "typeid",    "typename", "union",        "unsigned",
    "using",       "virtual",   "void",       "volatile",  "wchar_t",  "while",        "xor",
    "xor_eq"};

constexpr std::string_view python_keywords[] = {
    "False", "None",   "True",   "as", "assert", "async",  "await",    "def",  "del",   "elif", "except", "finally",
    "from",  "global", "import", "in", "is",     "lambda", "nonlocal", "pass", "raise", "with", "yield"};

/// Names that kernels of any language find defined around them.
constexpr std::string_view predefined[] = {
    "DTYPE",   "pid0",     "pid1",     "pid2",     "blockIdx", "threadIdx", "blockDim", "gridDim", "warpSize",
    "NAN",     "INFINITY", "NULL",     "EOF",      "main",     "std",       "int8_t",   "int16_t", "int32_t",
    "int64_t", "uint8_t",  "uint16_t", "uint32_t", "uint64_t", "size_t",    "triton",   "tl"};

constexpr std::string_view integer_functions[] = {"cdiv", "pow2ceil"};

constexpr std::string_view refused_flags[] = {"-ffast-math",           "-Ofast",
                                              "-ffinite-math-only",    "-fassociative-math",
                                              "-freciprocal-math",     "-funsafe-math-optimizations",
                                              "-fno-signed-zeros",     "-fno-honor-nans",
                                              "-fno-honor-infinities", "-ffp-model=fast",
                                              "--use_fast_math",       "-use_fast_math",
                                              "--prec-div=false",      "-prec-div=false"};

/// A longer one stands before the one that it begins with.
constexpr std::string_view include_options[] = {
    "--include-path=", "--pre-include=", "-include=",  "-include", "-imacros",
    "-iquote",         "-isystem",       "-idirafter", "-I"};

/// Flags that only the build itself may set: what is made, and where.
constexpr std::string_view build_flags[] = {"-c", "-S", "-E", "-shared"};

bool contains(const auto& list, std::string_view name) { return std::ranges::find(list, name) != std::end(list); }

bool leaves_its_folder(const std::filesystem::path& path) {
    return !path.is_absolute() && *path.lexically_normal().begin() == "..";
}

std::optional<Said> include_flag_problem(std::string_view flag) {
    const std::optional<IncludeFlag> include = include_flag(flag);
    if (!include) return std::nullopt;
    if (include->path.empty()) return "names nothing: write what it names right behind it, as in `-Iinclude`";
    if (leaves_its_folder(include->path))
        return "leaves the project's folder: name what lies outside by an absolute path";
    return std::nullopt;
}

bool is_word_of_the_language(std::string_view name) {
    return contains(reserved_names(), name) || contains(integer_functions, name);
}

}  // namespace

std::optional<Said> identifier_problem(std::string_view name) {
    const auto word_character = [](unsigned char c) { return c < 128 && (std::isalnum(c) || c == '_'); };
    if (name.empty()) return "is empty";
    if (name.size() > longest_name) return say("is longer than {} characters", longest_name);
    if (!std::ranges::all_of(name, word_character) || !std::isalpha(static_cast<unsigned char>(name[0]))) {
        return "is no identifier: a letter, then letters, digits and underscores";
    }
    if (contains(cpp_keywords, name)) return "is a keyword of C++";
    if (contains(python_keywords, name)) return "is a keyword of Python";
    if (contains(predefined, name) || name.starts_with("kg_")) return "means something else in a kernel's source";
    return std::nullopt;
}

std::optional<Said> value_name_problem(std::string_view name) {
    if (is_word_of_the_language(name)) return "is a word of the operator language";
    return identifier_problem(name);
}

std::vector<std::string> refused_words() {
    std::vector<std::string> words = reserved_names();
    const auto add = [&](const auto& list) { words.insert(words.end(), std::begin(list), std::end(list)); };
    add(integer_functions);
    add(cpp_keywords);
    add(python_keywords);
    add(predefined);
    return words;
}

std::optional<Said> parameter_name_problem(std::string_view name) {
    const std::size_t letter = std::min(name.find_first_not_of('_'), name.size());
    return identifier_problem(name.size() > longest_name ? name : name.substr(letter));
}

std::optional<Said> flag_problem(std::string_view flag) {
    if (!flag.starts_with('-')) return "is no compiler flag: it does not begin with `-`";
    if (contains(refused_flags, flag)) return "is refused: it changes what NaN, Inf or signed zeros do";
    if (contains(build_flags, flag) || flag.starts_with("-o"))
        return "is refused: what the build makes, and where, is not the project's choice";
    return include_flag_problem(flag);
}

std::optional<IncludeFlag> include_flag(std::string_view flag) {
    for (const std::string_view option : include_options) {
        if (flag.starts_with(option)) return IncludeFlag{option, flag.substr(option.size())};
    }
    return std::nullopt;
}

std::optional<Said> source_path_problem(const std::string& source) {
    const std::filesystem::path path = source;
    const auto control = [](unsigned char c) { return c < 32; };
    if (source.empty() || std::ranges::any_of(source, control)) return "is no file name";
    if (path.is_absolute()) return "is absolute; sources live in the project's folder";
    if (std::ranges::any_of(path, [](const auto& part) { return part == ".."; }) || !path.has_filename()) {
        return "leaves the project's folder";
    }
    const std::filesystem::path plain = path.lexically_normal();
    const std::string first = plain.begin()->string();
    if (first == "." || contains(own_files::all, first)) return "is one of the project's own files";
    return std::nullopt;
}

}  // namespace kernelgen
