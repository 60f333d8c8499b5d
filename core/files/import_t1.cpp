// SPDX-License-Identifier: Apache-2.0
#include "core/files/import_t1.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <format>
#include <limits>
#include <regex>

#include "core/base/gzip.h"
#include "core/base/text.h"
#include "core/base/text_file.h"
#include "core/files/kernel_signature.h"
#include "core/project/cpp_text.h"
#include "core/project/names.h"
#include "core/project/project_file.h"
#include "core/project/source_files.h"
#include "core/project/tunable_macros.h"
#include "core/tune/python_integers.h"
#include "core/tune/t1_kernel.h"

namespace kernelgen {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kernel_limit_bytes = 4 << 20;
constexpr const char* reference_name = "reference";
constexpr const char* kernel_tuner_macro = "kernel_tuner";  // that Kernel Tuner defines where it compiles

/// Makes one project of what was read.
class T1Import {
public:
    T1Import(T1Kernel kernel, SpaceDescription space, const fs::path& file)
        : kernel_(std::move(kernel)), space_(std::move(space)), file_(file) {}
    Validated<ImportedSet> make(const std::string& name);

private:
    Result<void> read_source();
    Result<void> match_parameters();
    void name_tensors();
    void edit_source();
    std::string locals() const;
    void make_local(const KernelParameter& scalar, const std::string& value);
    void make_plain(const KernelParameter& pointer, const T1Argument& argument);
    bool is_plain(const KernelParameter& pointer, const T1Argument& argument) const;
    bool is_passed(const T1Argument& argument) const { return passes_constants_ || !argument.is_constant; }
    std::size_t parameter_of(std::size_t argument) const;
    void edited(std::size_t place, std::string what);
    Result<void> choose_defaults();
    void define(const std::string& name);
    Variant variant(const std::string& name) const;
    std::vector<std::string> flags();
    Result<void> add_files();
    void note_overridden();

    T1Kernel kernel_;
    SpaceDescription space_;
    fs::path file_, source_path_;
    std::string source_name_, source_;
    std::string body_;  ///< of the kernel, without comments
    KernelSignature signature_;
    bool passes_constants_ = true;    ///< as arguments too
    std::vector<std::string> names_;  ///< of the arguments' tensors
    Configuration defaults_;
    ImportedSet set_;
};

/// The file that a T1 file names: beside it, or where it lies in a folder for such files, beside that folder.
fs::path kernel_path(const fs::path& t1, const std::string& named) {
    const fs::path beside = t1.parent_path() / named, above = t1.parent_path().parent_path() / named;
    std::error_code error;
    return !fs::exists(beside, error) && fs::exists(above, error) ? above : beside;
}

/// The text from `begin` to the brace that closes what is open there.
std::string body_of(const std::string& source, std::size_t begin) {
    int depth = 1;
    std::size_t end = begin;
    for (; end < source.size() && depth > 0; ++end)
        depth += (source[end] == '{' ? 1 : 0) - (source[end] == '}' ? 1 : 0);
    return source.substr(begin, end - begin);
}

Result<void> T1Import::read_source() {
    source_path_ = kernel_path(file_, kernel_.file);
    Result<std::string> text = read_text_file(source_path_, kernel_limit_bytes);
    if (!text) return std::unexpected(text.error());
    source_name_ = source_path_.filename().replace_extension(".cu").string();
    source_ = std::move(*text);
    Result<KernelSignature> found = find_kernel(source_, kernel_.name);
    if (!found) return fail(say("{}: {}", source_path_.string(), found.error().message));
    signature_ = std::move(*found);
    body_ = body_of(without_comments(source_, 0, source_.size()), signature_.body);
    source_ = without_comments(std::move(source_), signature_.begin, signature_.body);
    return {};
}

/// The kernel has all arguments as parameters, or all but the constants.
Result<void> T1Import::match_parameters() {
    const auto constants =
        static_cast<std::size_t>(std::ranges::count(kernel_.arguments, true, &T1Argument::is_constant));
    const std::size_t parameters = signature_.parameters.size(), arguments = kernel_.arguments.size();
    passes_constants_ = parameters == arguments;
    if (passes_constants_ || parameters == arguments - constants) return {};
    return fail(say("{}: `{}` has {} parameters, and the T1 file {} arguments, {} of them constants", source_name_,
                    kernel_.name, parameters, arguments, constants));
}

/// A constant's input has the name of the kernel's parameter, or else the constant's without `d_`.
void T1Import::name_tensors() {
    for (std::size_t i = 0; i < kernel_.arguments.size(); ++i) {
        const T1Argument& argument = kernel_.arguments[i];
        std::string name = argument.name;
        if (name.empty() && is_passed(argument)) name = signature_.parameters[parameter_of(i)].name;
        if (argument.is_constant && passes_constants_) name = signature_.parameters[i].name;
        else if (argument.is_constant) name = name.starts_with("d_") ? name.substr(2) : name + "_values";
        names_.push_back(name);
    }
}

void T1Import::edited(std::size_t place, std::string what) {
    const auto line = 1 + std::ranges::count(source_.substr(0, place), '\n');
    set_.edits.push_back({source_name_, say("line {}", line), std::move(what), ""});
}

/// The place of the parameter that an argument is for.
std::size_t T1Import::parameter_of(std::size_t argument) const {
    if (passes_constants_) return argument;
    const auto before = kernel_.arguments.begin();
    return argument - static_cast<std::size_t>(std::count_if(before, before + static_cast<std::ptrdiff_t>(argument),
                                                             [](const T1Argument& each) { return each.is_constant; }));
}

/// Takes a parameter out, which is a variable of the kernel's body then.
void T1Import::make_local(const KernelParameter& scalar, const std::string& value) {
    edited(scalar.begin, std::format("`{}` is a variable of the body with the value {}", scalar.name, value));
    std::size_t begin = scalar.begin, end = begin + scalar.text.size();
    const std::size_t next = source_.find_first_not_of(" \t\n\r", end);
    if (next != std::string::npos && source_[next] == ',') end = source_.find_first_not_of(" \t", next + 1);
    else if (&scalar != &signature_.parameters.front()) begin = source_.rfind(',', begin);
    source_.erase(begin, end - begin);
}

/// Whether the type says that what the pointer points to is const: `const float *x`, `float const *x`.
bool points_to_const(const KernelParameter& pointer) {
    return std::regex_search(pointer.text, std::regex(R"(^[^*]*\bconst\b[^*]*\*)"));
}

/// The type that the build's prototype gives to elements, first, and others that are the same type.
std::vector<std::string> types_of(DType dtype) {
    switch (dtype) {
        case DType::f64: return {"double"};
        case DType::f16: return {"kg_f16"};
        case DType::i32: return {"int", "int32_t"};
        case DType::i8: return {"int8_t", "signed char"};
        default: return {"float"};
    }
}

/// "float4" of `const float4* __restrict__ x`; "" where it is no pointer.
std::string pointed_type(const KernelParameter& parameter) {
    const std::size_t star = parameter.text.find('*');
    if (star == std::string::npos || star != parameter.text.rfind('*')) return "";
    std::string type;
    for (const std::string& word : split(parameter.text.substr(0, star), ' ')) {
        const std::string each(trim(word));
        if (!each.empty() && each != "const" && each != "volatile") type += (type.empty() ? "" : " ") + each;
    }
    return type;
}

/// Whether the text uses a pointer only as `x[…]`.
bool is_only_indexed(const std::string& text, const std::string& name) {
    const auto is_part = [&](std::size_t at) {
        return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
    };
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
        const std::size_t end = at + name.size(), next = std::min(text.find_first_not_of(" \n", end), text.size() - 1);
        const bool is_use = !(at > 0 && is_part(at - 1)) && !is_part(end);
        if (is_use && text[next] != '[') return false;
    }
    return true;
}

/// Whether a parameter may stay the pointer that it is, or with a `const`: it points to the tensor's elements, and the
/// body, where a `const` is added, does not hand it to what may not be const.
bool T1Import::is_plain(const KernelParameter& pointer, const T1Argument& argument) const {
    const std::string type = pointed_type(pointer);
    if (type.empty()) return true;
    if (!std::ranges::contains(types_of(argument.dtype), type)) return false;
    return argument.is_output || points_to_const(pointer) || is_only_indexed(body_, pointer.name);
}

std::string given_name(const KernelParameter& pointer) { return pointer.name + "_given"; }

/// Makes a pointer to another type than the tensor's elements, such as `float4* x`, a variable of the body, which a
/// parameter `float* x_given` sets.
void T1Import::make_plain(const KernelParameter& pointer, const T1Argument& argument) {
    const std::string type = types_of(argument.dtype).front();
    const std::string text = (argument.is_output ? "" : "const ") + type + "* " + given_name(pointer);
    edited(pointer.begin, std::format("`{}` is a variable of the body, which `{}` sets", pointer.name, text));
    source_.replace(pointer.begin, pointer.text.size(), text);
}

/// The variables of the body that stand for parameters.
std::string T1Import::locals() const {
    std::string text;
    for (std::size_t i = 0; i < kernel_.arguments.size(); ++i) {
        const T1Argument& argument = kernel_.arguments[i];
        if (!is_passed(argument)) continue;
        const KernelParameter& its = signature_.parameters[parameter_of(i)];
        if (argument.is_scalar()) text += " " + its.text + " = " + argument.value + ";";
        else if (!is_plain(its, argument))
            text += std::format(" {} = ({}*){};", its.text, pointed_type(its), given_name(its));
    }
    return text;
}

/// Edits the source from its end, so that earlier places stay valid.
void T1Import::edit_source() {
    source_.insert(signature_.body, locals());
    for (std::size_t i = kernel_.arguments.size(); i-- > 0;) {
        const T1Argument& argument = kernel_.arguments[i];
        if (!is_passed(argument)) continue;
        const KernelParameter& its = signature_.parameters[parameter_of(i)];
        if (argument.is_scalar()) make_local(its, argument.value);
        else if (!is_plain(its, argument)) make_plain(its, argument);
        if (argument.is_scalar() || argument.is_output || !is_plain(its, argument) || points_to_const(its)) continue;
        edited(its.begin, std::format("`{}` is const: the kernel only reads it", its.name));
        source_.insert(its.begin, "const ");
    }
    if (!signature_.is_extern_c) {
        edited(signature_.begin, std::format("`{}` has C linkage, so that it is found by its name", kernel_.name));
        source_.insert(signature_.begin, "extern \"C\" ");
    }
    if (std::ranges::none_of(kernel_.arguments, [](const auto& each) { return each.dtype == DType::f16; })) return;
    edited(0, "`kernelgen.cuh` has the type of the prototype's elements");
    source_.insert(0, "#include <kernelgen.cuh>\n");
}

/// The space that the file describes, or of one that is too large a part.
Result<TuningSpace> some_space_of(const SpaceDescription& description) {
    constexpr std::size_t most_drawn = 10'000;
    Result<TuningSpace> all = space_of(description);
    if (all) return all;
    return TuningSpace::part(description.parameters, description.restrictions, python_constants(), {}, most_drawn);
}

/// The place of the configuration that differs from the defaults in the fewest parameters, and in these the least.
std::size_t nearest_to_defaults(const TuningSpace& space) {
    std::vector<int> defaults;
    for (const Tunable& each : space.parameters())
        defaults.push_back(static_cast<int>(std::ranges::find(each.values, each.value) - each.values.begin()));
    std::pair<int, int> least{std::numeric_limits<int>::max(), 0};
    std::size_t nearest = 0;
    for (std::size_t i = 0; i < space.size(); ++i) {
        std::pair<int, int> differs{0, 0};
        for (std::size_t k = 0; k < defaults.size(); ++k) {
            const int steps = std::abs(space.positions(i)[k] - defaults[k]);
            differs.first += steps > 0 ? 1 : 0;
            differs.second += steps;
        }
        if (differs < least) nearest = i;
        least = std::min(least, differs);
    }
    return nearest;
}

/// The defaults of the file, or where restrictions forbid them, the allowed configuration that is nearest to them.
Result<void> T1Import::choose_defaults() {
    const Result<TuningSpace> space = some_space_of(space_);
    if (!space) return std::unexpected(space.error());
    for (const Tunable& each : space_.parameters) defaults_[each.name] = each.value;
    if (space->find(defaults_)) return {};
    defaults_ = space->at(nearest_to_defaults(*space));
    for (Tunable& each : space_.parameters) each.value = defaults_.at(each.name);
    set_.notes.push_back(
        {file_.string(), "", "its conditions forbid the default values: the nearest allowed ones are taken", ""});
    return {};
}

/// Whether a condition of the preprocessor asks whether Kernel Tuner compiles.
bool asks_for_kernel_tuner(const std::string& source) {
    return std::ranges::any_of(split(source, '\n'), [](const std::string& line) {
        return trim(line).starts_with('#') && line.contains("if") && line.contains(kernel_tuner_macro);
    });
}

/// The options that are kept as flags. The language's version is left out: KernelGen chooses it.
std::vector<std::string> T1Import::flags() {
    std::vector<std::string> kept;
    const auto leave_out = [&](const Said& what) {
        set_.notes.push_back({file_.string(), "CompilerOptions", what, ""});
    };
    for (const std::string& option : kernel_.options) {
        if (option.empty()) continue;
        if (option.starts_with("-std=") || option.starts_with("--std="))
            leave_out(std::format("`{}` is left out: sources are compiled as C++20", option));
        else if (const auto problem = flag_problem(option))
            leave_out(std::format("`{}` is left out: it {}", option, problem->text()));
        else kept.push_back(option);
    }
    if (asks_for_kernel_tuner(source_)) kept.push_back(std::format("-D{}=1", kernel_tuner_macro));
    return kept;
}

Variant T1Import::variant(const std::string& name) const {
    Variant made{.name = name, .language = Language::cuda, .source = source_name_, .entry = kernel_.name};
    Launch launch{.grid = kernel_.grid, .block = kernel_.block, .shared_bytes = kernel_.shared_bytes};
    for (std::size_t i = 0; i < names_.size(); ++i) {
        if (kernel_.arguments[i].is_scalar()) continue;
        if (!kernel_.arguments[i].is_constant || passes_constants_) launch.args.push_back(names_[i]);
        if (kernel_.arguments[i].is_constant) launch.constants.push_back({kernel_.arguments[i].name, names_[i]});
    }
    made.launches = {launch};
    made.tunables = space_.parameters;
    made.restrictions = space_.restrictions;
    return made;
}

void T1Import::define(const std::string& name) {
    Project& project = set_.project;
    Operator& definition = project.definition;
    const std::string benchmark = kernel_.benchmark.empty() ? kernel_.name : kernel_.benchmark;
    definition.name = name.empty() ? benchmark : name;
    definition.family = Family::custom;
    definition.description = std::format(
        "From {}. The reference is the same source in its default configuration: a configuration that computes "
        "something "
        "else is found, a mistake that all of them have is not.",
        file_.filename().string());
    definition.reference = reference_name;
    const auto output = std::ranges::find(kernel_.arguments, true, &T1Argument::is_output);
    Case binding{.name = "", .dtype = output == kernel_.arguments.end() ? DType::f32 : output->dtype, .sizes = {}};
    std::vector<std::string> sizes;
    for (const std::int64_t size : kernel_.problem) sizes.push_back(std::to_string(size));
    if (sizes.empty() && output != kernel_.arguments.end()) sizes.push_back(std::to_string(output->elements));
    binding.name = join(sizes, "x") + " " + std::string(to_string(binding.dtype));
    project.cases = {binding};
    for (std::size_t i = 0; i < names_.size(); ++i) {
        const T1Argument& argument = kernel_.arguments[i];
        if (argument.is_scalar()) continue;
        Tensor tensor{.name = names_[i], .shape = {std::to_string(argument.elements)}, .dtype = {}};
        if (argument.dtype != binding.dtype) tensor.dtype = argument.dtype;
        (argument.is_output ? definition.outputs : definition.inputs).push_back(tensor);
    }
    Variant tuned = variant("cuda"), reference = variant(reference_name);
    tuned.flags = reference.flags = flags();
    for (Tunable& each : reference.tunables) each.values = {each.value};
    project.variants = {tuned, reference};
    project.performance.baseline = {{"", reference_name}};
}

/// The source, and what it includes of the files beside the T1 file.
Result<void> T1Import::add_files() {
    set_.files[static_cast<std::size_t>(FileRole::kernel)] = source_name_;
    const fs::path folder = source_path_.parent_path();
    Result<SourceFiles> included =
        included_files(set_.project.variants.front(), {{source_name_, source_}}, folder_reader(folder), folder);
    if (!included) return std::unexpected(included.error());
    set_.texts = std::move(*included);
    set_.texts[source_name_] = source_;
    return {};
}

/// Notes the lines by which tunables have no effect.
void T1Import::note_overridden() {
    Implementation made{.variant = set_.project.variants.front(), .text = source_, .configuration = {}};
    made.files = set_.texts;
    made.files.erase(source_name_);
    const OverriddenTunables overridden = overridden_tunables(made);
    set_.notes.insert(set_.notes.end(), overridden.always.begin(), overridden.always.end());
    set_.notes.insert(set_.notes.end(), overridden.perhaps.begin(), overridden.perhaps.end());
}

Validated<ImportedSet> T1Import::make(const std::string& name) {
    for (const auto step : {&T1Import::read_source, &T1Import::match_parameters, &T1Import::choose_defaults}) {
        if (Result<void> done = (this->*step)(); !done) return std::unexpected(as_diagnostics(done.error()));
    }
    name_tensors();
    edit_source();
    define(name);
    for (std::size_t i = 0; i < names_.size(); ++i) {
        if (kernel_.arguments[i].is_begun)
            set_.notes.push_back({file_.string(), "",
                                  std::format("`{}` is an output, which the file begins with a "
                                              "constant: here the kernel must write all of it, and "
                                              "not read it before",
                                              names_[i]),
                                  ""});
    }
    set_.notes.push_back(
        {"", "", std::format("the reference is `{}`: the same source in its default configuration", reference_name),
         ""});
    if (Result<void> added = add_files(); !added) return std::unexpected(as_diagnostics(added.error()));
    note_overridden();
    if (Diagnostics problems = validate(set_.project); !problems.empty()) return std::unexpected(std::move(problems));
    return std::move(set_);
}

}  // namespace

Validated<ImportedSet> read_t1_project(const fs::path& file, const std::string& name) {
    const Result<std::string> text = read_unpacked(file.string());
    if (!text) return std::unexpected(as_diagnostics(text.error()));
    const Validated<SpaceDescription> space = read_t1(*text, file.string());
    if (!space) return std::unexpected(space.error());
    const Validated<T1Kernel> kernel = read_t1_kernel(*text, *space, file.string());
    if (!kernel) return std::unexpected(kernel.error());
    return T1Import(*kernel, *space, file).make(name);
}

}  // namespace kernelgen
