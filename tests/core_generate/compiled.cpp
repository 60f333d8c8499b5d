// SPDX-License-Identifier: Apache-2.0
#include "tests/core_generate/compiled.h"

#include <dlfcn.h>
#include <unistd.h>

#include <filesystem>
#include <stdexcept>

#include "core/base/file.h"
#include "core/base/process.h"
#include "core/project/launch_plan.h"
#include "tests/core_generate/guarded_arguments.h"

namespace kernelgen::tests {

namespace {

/// `name`: the programs of a grid from `begin` on, over arrays of pointers, symbols and attributes.
std::string runner_text(const Operator& definition, const std::string& entry, const std::string& name) {
    return "extern \"C\" void " + name +
           "(void** pointers, const int64_t* symbols, const double* attributes, const int64_t* begin, "
           "const int64_t* grid) {\n"
           "    (void)symbols, (void)attributes;\n"
           "    for (int64_t a = begin[0]; a < grid[0]; ++a)\n        for (int64_t b = begin[1]; b < grid[1]; ++b)\n"
           "            for (int64_t c = begin[2]; c < grid[2]; ++c) " +
           entry + "(" + call_arguments(definition) + "a, b, c);\n}\n";
}

std::string runner_name(const std::string& dtype, std::size_t launch) {
    return "run_" + dtype + "_" + std::to_string(launch);
}

/// One source with a kernel for each dtype, told apart by a namespace and by the entry's name.
std::string source_for(const Operator& definition, const GeneratedVariant& generated, const std::vector<DType>& dtypes,
                       const Configuration& configuration) {
    std::string text = "#include \"kernelgen.h\"\n";
    for (const auto& [name, value] : configuration) text += "#define " + name + " " + std::to_string(value) + "\n";
    for (const DType dtype : dtypes) {
        const std::string name(to_string(dtype));
        std::string defined, runners, undefined;
        for (std::size_t i = 0; i < generated.variant.launches.size(); ++i) {
            const std::string& entry = entry_of(generated.variant, i);
            defined += "#define " + entry + " " + entry + "_" + name + "\n";
            runners += runner_text(definition, entry, runner_name(name, i));
            undefined += "#undef " + entry + "\n";
        }
        text += "namespace of_" + name + " {\n#define DTYPE " + storage_type(dtype) + "\n" + defined + generated.text +
                runners + "#undef DTYPE\n" + undefined + "}\n";
    }
    return text;
}

}  // namespace

Compiled::Compiled(const std::string& text, const std::string& machine) {
    // dlopen gives a library it has again for the same path.
    static int number = 0;
    const auto folder = std::filesystem::temp_directory_path() /
                        ("kernelgen_test_" + std::to_string(getpid()) + "_" + std::to_string(number++));
    std::filesystem::create_directories(folder);
    const auto written = write_file_atomic(folder / "kernel.cpp", text);
    if (!written) throw std::runtime_error(written.error().message);
    const std::string include = std::string(KERNELGEN_SOURCE_DIR) + "/resources/include";
    Command command;
    command.arguments = {"g++",
                         "-std=c++20",
                         "-O1",
                         "-march=" + machine,
                         "-fPIC",
                         "-shared",
                         "-Wall",
                         "-Werror",
                         "-fno-math-errno",
                         "-fno-trapping-math",
                         "-ffp-contract=fast",
                         "-I" + include,
                         "kernel.cpp",
                         "-o",
                         "kernel.so"};
    command.folder = folder.string();
    const auto finished = run_to_end(command);
    const std::string problem = !finished                  ? finished.error().message.text()
                                : finished->exit.success() ? ""
                                                           : finished->output;
    if (problem.empty()) library_ = dlopen((folder / "kernel.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    std::filesystem::remove_all(folder);
    if (library_ == nullptr) throw std::runtime_error(problem.empty() ? dlerror() : problem + "\n" + text);
}

Compiled::~Compiled() { dlclose(library_); }

void* Compiled::symbol(const std::string& name) const {
    void* found = dlsym(library_, name.c_str());
    if (found == nullptr) throw std::runtime_error(dlerror());
    return found;
}

CompiledKernel::CompiledKernel(const Operator& definition, const GeneratedVariant& generated,
                               const std::vector<DType>& dtypes, const Configuration& configuration,
                               const std::string& machine)
    : definition_(definition),
      variant_(generated.variant),
      configuration_(configuration),
      compiled_(source_for(definition, generated, dtypes, configuration), machine) {}

const std::string& entry_of(const Variant& variant, std::size_t launch) {
    const std::string& own = variant.launches[launch].entry;
    return own.empty() ? variant.entry : own;
}

std::vector<std::vector<double>> CompiledKernel::run(DType dtype, const Sizes& sizes,
                                                     const std::vector<std::vector<double>>& inputs) const {
    GuardedArguments arguments(definition_, dtype, sizes, inputs);
    launch(arguments, dtype, sizes, false);
    return arguments.outputs();
}

void CompiledKernel::run_last(SparseArguments& arguments) const {
    launch(arguments, arguments.dtype(), arguments.sizes(), true);
}

void CompiledKernel::launch(Arguments& arguments, DType dtype, const Sizes& sizes, bool last) const {
    const auto plan =
        plan_launches(definition_, {variant_, "", configuration_, {}, {{"multiprocessors", 132}}}, {"", dtype, sizes});
    if (!plan) throw std::runtime_error(plan.error().message);
    for (std::size_t i = 0; i < plan->launches.size(); ++i) {
        const auto& grid = plan->launches[i].grid;
        const std::int64_t begin[] = {last ? grid[0] - 1 : 0, last ? grid[1] - 1 : 0, last ? grid[2] - 1 : 0};
        using Run = void(void**, const std::int64_t*, const double*, const std::int64_t*, const std::int64_t*);
        const auto run = compiled_.function<Run>(runner_name(std::string(to_string(dtype)), i));
        run(arguments.pointers.data(), arguments.symbols.data(), arguments.attributes.data(), begin, grid.data());
    }
}

}  // namespace kernelgen::tests
