// SPDX-License-Identifier: Apache-2.0
#include "tests/core_generate/compiled.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <memory>
#include <stdexcept>

#include "core/base/file.h"
#include "core/base/process.h"
#include "core/project/launch_plan.h"

namespace kernelgen::tests {

namespace {

/// Memory whose last byte is followed by an unreadable page.
class EndGuarded {
public:
    explicit EndGuarded(std::size_t bytes) {
        const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        size_ = (bytes + page - 1) / page * page + page;
        memory_ = static_cast<char*>(mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        mprotect(memory_ + size_ - page, page, PROT_NONE);
        data_ = memory_ + size_ - page - bytes;
    }
    EndGuarded(const EndGuarded&) = delete;
    EndGuarded& operator=(const EndGuarded&) = delete;
    ~EndGuarded() { munmap(memory_, size_); }
    void* data() const { return data_; }

private:
    char* memory_ = nullptr;
    char* data_ = nullptr;
    std::size_t size_ = 0;
};

std::string cpp_type(DType dtype) {
    switch (dtype) {
        case DType::f64: return "double";
        case DType::f32: return "float";
        case DType::i32: return "int32_t";
        case DType::i8: return "int8_t";
        default: return "kg_" + std::string(to_string(dtype));
    }
}

/// `run_<dtype>`: all programs of a grid, over arrays of pointers, symbols and attributes.
std::string runner_text(const Operator& definition, const std::string& entry, const std::string& dtype) {
    std::string values;
    std::size_t pointer = 0;
    const auto add_pointer = [&](const Tensor& tensor) {
        const std::string type = tensor.dtype ? cpp_type(*tensor.dtype) : "DTYPE";
        values += "static_cast<" + type + "*>(pointers[" + std::to_string(pointer++) + "]), ";
    };
    for (const Tensor& each : definition.inputs) add_pointer(each);
    for (const Tensor& each : definition.outputs) add_pointer(each);
    for (std::size_t i = 0; i < definition.symbols.size(); ++i) values += "symbols[" + std::to_string(i) + "], ";
    for (std::size_t i = 0; i < definition.attributes.size(); ++i) values += "attributes[" + std::to_string(i) + "], ";
    return "extern \"C\" void run_" + dtype +
           "(void** pointers, const int64_t* symbols, const double* attributes, const int64_t* grid) {\n"
           "    (void)symbols, (void)attributes;\n"
           "    for (int64_t a = 0; a < grid[0]; ++a)\n        for (int64_t b = 0; b < grid[1]; ++b)\n"
           "            for (int64_t c = 0; c < grid[2]; ++c) " +
           entry + "(" + values + "a, b, c);\n}\n";
}

/// One source with a kernel for each dtype, told apart by a namespace and by the entry's name.
std::string source_for(const Operator& definition, const GeneratedVariant& generated, const std::vector<DType>& dtypes,
                       const Configuration& configuration) {
    std::string text = "#include \"kernelgen.h\"\n";
    for (const auto& [name, value] : configuration) text += "#define " + name + " " + std::to_string(value) + "\n";
    for (const DType dtype : dtypes) {
        const std::string name(to_string(dtype));
        const std::string& entry = generated.variant.entry;
        text += "namespace of_" + name + " {\n#define DTYPE " + cpp_type(dtype) + "\n#define " + entry + " " + entry +
                "_" + name + "\n" + generated.text + runner_text(definition, entry, name) + "#undef DTYPE\n#undef " +
                entry + "\n}\n";
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
    const std::string problem = !finished ? finished.error().message : finished->exit.success() ? "" : finished->output;
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

std::vector<std::vector<double>> CompiledKernel::run(DType dtype, const Sizes& sizes,
                                                     const std::vector<std::vector<double>>& inputs) const {
    std::vector<std::unique_ptr<EndGuarded>> buffers;
    std::vector<void*> pointers;
    const auto allocate = [&](const Tensor& tensor) {
        const std::size_t bytes =
            static_cast<std::size_t>(element_count(tensor, sizes).value()) * size_of(tensor.dtype.value_or(dtype));
        buffers.push_back(std::make_unique<EndGuarded>(bytes));
        pointers.push_back(buffers.back()->data());
        std::memset(pointers.back(), 0x5a, bytes);
    };
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        allocate(definition_.inputs[i]);
        encode(definition_.inputs[i].dtype.value_or(dtype), inputs[i], pointers.back());
    }
    for (const Tensor& each : definition_.outputs) allocate(each);
    std::vector<std::int64_t> symbols;
    std::vector<double> attributes;
    for (const std::string& each : definition_.symbols) symbols.push_back(sizes.at(each));
    for (const Attribute& each : definition_.attributes) attributes.push_back(each.value);

    const auto plan = plan_launches(definition_, variant_, configuration_, sizes);
    if (!plan) throw std::runtime_error(plan.error().message);
    using Run = void(void**, const std::int64_t*, const double*, const std::int64_t*);
    compiled_.function<Run>("run_" + std::string(to_string(dtype)))(pointers.data(), symbols.data(), attributes.data(),
                                                                    plan->launches[0].grid.data());
    std::vector<std::vector<double>> outputs;
    for (std::size_t i = 0; i < definition_.outputs.size(); ++i) {
        const Tensor& output = definition_.outputs[i];
        outputs.emplace_back(static_cast<std::size_t>(element_count(output, sizes).value()));
        decode(output.dtype.value_or(dtype), pointers[inputs.size() + i], outputs.back());
    }
    return outputs;
}

}  // namespace kernelgen::tests
