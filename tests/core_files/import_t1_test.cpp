// SPDX-License-Identifier: Apache-2.0
// A T1 file with its CUDA kernel as a project.
#include "core/files/import_t1.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/base/file.h"
#include "core/project/project_file.h"
#include "tests/core_round/temporary_folder.h"

namespace kernelgen {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr const char* kernel_text = R"(#include "sizes.h"
__constant__ float d_filter[33];
__global__ void __launch_bounds__(256) blur(float *output, float *input, float *filter);
// blur (the kernel)
__global__ void __launch_bounds__(256) blur(float *output, float *input, float *filter) { /* ) */ }
)";

json description() {
    return json::parse(R"json({
        "ConfigurationSpace": {
            "TuningParameters": [
                {"Name": "block_size_x", "Type": "int", "Values": "[16, 32, 64]", "Default": 32},
                {"Name": "width", "Type": "int", "Values": "[3, 5]", "Default": 5}],
            "Conditions": [{"Expression": "block_size_x % 32 == 0 or width == 3", "Parameters": []}]},
        "KernelSpecification": {
            "Language": "CUDA", "BenchmarkName": "blur", "KernelName": "blur", "KernelFile": "kernels/blur.cu",
            "CompilerOptions": ["-std=c++11", "-lineinfo"],
            "LocalSize": {"X": "block_size_x", "Y": "1", "Z": "1"},
            "GridDivX": ["block_size_x", "2"], "ProblemSize": [4096, 7], "SharedMemory": 0,
            "Arguments": [
                {"Name": "image", "Type": "float", "MemoryType": "Vector", "AccessType": "WriteOnly", "Size": "ProblemSize[0] * ProblemSize[1]"},
                {"Name": "padded", "Type": "float", "AccessType": "ReadOnly", "Size": "(ProblemSize[0]+max(width)-1) * ProblemSize[1]"},
                {"Name": "d_filter", "Type": "float", "AccessType": "ReadOnly", "MemType": "Constant", "Size": "max(width)"}]}})json");
}

class T1Project : public InFolder {
protected:
    void SetUp() override {
        std::filesystem::create_directories(folder / "kernels");
        ASSERT_TRUE(write_file_atomic(folder / "kernels/blur.cu", kernel_text));
        ASSERT_TRUE(write_file_atomic(folder / "kernels/sizes.h", "// sizes\n"));
    }

    Validated<ImportedSet> imported(const json& content) {
        EXPECT_TRUE(write_file_atomic(folder / "blur.T1.json", content.dump()));
        return read_t1_project(folder / "blur.T1.json");
    }

    /// What is said of the description with another value at a place.
    std::string errors_with(const std::string& pointer, json value) {
        json content = description();
        content[json::json_pointer(pointer)] = std::move(value);
        const auto set = imported(content);
        return set ? "" : to_string(set.error());
    }
};

TEST_F(T1Project, HasTheKernelAndItsDefaultConfigurationAsReference) {
    const auto set = imported(description());
    ASSERT_TRUE(set) << to_string(set.error());
    const Project& project = set->project;
    EXPECT_EQ(project.definition.name, "blur");
    EXPECT_EQ(project.definition.family, Family::custom);
    EXPECT_THAT(project.definition.description,
                HasSubstr("The reference is the same source in its default configuration"));
    EXPECT_EQ(project.definition.outputs[0].shape, (std::vector<std::string>{"28672"}));
    EXPECT_EQ(project.definition.inputs[0].shape, (std::vector<std::string>{"28700"}));
    EXPECT_EQ(project.definition.inputs[1].name, "filter");
    ASSERT_THAT(project.cases, SizeIs(1));
    EXPECT_EQ(project.cases[0].name, "4096x7 f32");
    const Variant& tuned = project.variants[0];
    EXPECT_THAT(tuned.launches[0].grid, ElementsAre("cdiv(4096, (block_size_x) * (2))", "7"));
    EXPECT_THAT(tuned.launches[0].block, ElementsAre("block_size_x", "1", "1"));
    EXPECT_THAT(tuned.launches[0].args, ElementsAre("image", "padded", "filter"));
    EXPECT_THAT(tuned.launches[0].constants, ElementsAre(ConstantCopy{"d_filter", "filter"}));
    EXPECT_EQ(configuration_of(tuned), (Configuration{{"block_size_x", 32}, {"width", 5}}));
    EXPECT_THAT(tuned.flags, ElementsAre("-lineinfo"));
    EXPECT_EQ(project.definition.reference, "reference");
    const Variant& reference = project.variants[1];
    EXPECT_EQ(configuration_of(reference), configuration_of(tuned));
    EXPECT_THAT(reference.tunables[0].values, ElementsAre(32));
    EXPECT_EQ(baseline_for(project, "cuda:0"), &reference);
    EXPECT_EQ(candidate_for(project, "cuda:0"), &tuned);
}

TEST_F(T1Project, EditsTheCopyOfTheSource) {
    auto set = imported(description()).value();
    EXPECT_THAT(
        set.texts.at("blur.cu"),
        HasSubstr("\nextern \"C\" __global__ void __launch_bounds__(256) blur(float *output, const float *input, "
                  "const float *filter) {"));
    EXPECT_THAT(set.texts, ::testing::Contains(::testing::Pair("sizes.h", "// sizes\n")));
    EXPECT_THAT(set.edits, SizeIs(3));
    EXPECT_EQ(set.edits[0].where, "line 5");
    ASSERT_TRUE(write_imported(set, folder / "project"));
    EXPECT_EQ(load_project(folder / "project").value(), set.project);
}

TEST_F(T1Project, GivesAConstantOnlyByItsVariableWhereTheKernelTakesNoPointerToIt) {
    std::string text = kernel_text;
    for (std::size_t at = text.find(", float *filter"); at != std::string::npos; at = text.find(", float *filter"))
        text.erase(at, std::string_view(", float *filter").size());
    ASSERT_TRUE(write_file_atomic(folder / "kernels/blur.cu", text));
    const auto set = imported(description());
    ASSERT_TRUE(set) << to_string(set.error());
    EXPECT_THAT(set->project.variants[0].launches[0].args, ElementsAre("image", "padded"));
    EXPECT_THAT(set->project.variants[0].launches[0].constants, ElementsAre(ConstantCopy{"d_filter", "filter"}));
}

TEST_F(T1Project, TakesAKernelAfterADirectiveAndNoTemplate) {
    const std::string kernel = "__global__ void blur(float *output, float *input, float *filter) { }\n";
    const auto error_with = [&](const std::string& before) {
        EXPECT_TRUE(write_file_atomic(folder / "kernels/blur.cu", before + kernel));
        const auto set = imported(description());
        return set ? "" : to_string(set.error());
    };
    EXPECT_EQ(error_with("#include <cuda_fp16.h>\n"), "");
    EXPECT_EQ(error_with("#define SMALLER(a, b) \\\n  (a) > \\\n  (b)\n"), "");
    EXPECT_EQ(error_with("template <int N> int times(int x) { return N * x; }  // >\n"), "");
    EXPECT_EQ(error_with("const char quote = '\"';\n// a template\n"), "");
    for (const char* heading : {"template <int N>\n", "template <int N = (3 > 2)> static ", "template<int N>  // why\n",
                                "const char* brace = \"{\"; template <int N> /* ; */\n"})
        EXPECT_THAT(error_with(heading), HasSubstr("the kernel `blur` is a template")) << heading;
}

TEST_F(T1Project, GivesCLinkageToAWholeDeclaration) {
    const auto linked_with = [&](const std::string& before) {
        const std::string text =
            before + "__global__ void blur(float *output, const float *input, const float *filter) { }\n";
        EXPECT_TRUE(write_file_atomic(folder / "kernels/blur.cu", text));
        return imported(description()).value().texts.at("blur.cu").substr(0, before.size() + 30);
    };
    EXPECT_THAT(linked_with("int x;\n__global__\n#if N > 0\n__launch_bounds__(N)\n#endif\n"),
                HasSubstr("int x;\nextern \"C\" __global__\n#if N > 0\n__launch_bounds__(N)\n#endif\n__global__ void"));
    EXPECT_THAT(linked_with("#if N > 0\n__global__ __launch_bounds__(N)\n#endif\n"),
                HasSubstr("__launch_bounds__(N)\n#endif\nextern \"C\" __global__ void"));
}

TEST_F(T1Project, BeginsWithAConfigurationThatIsAllowed) {
    json content = description();
    content["ConfigurationSpace"]["TuningParameters"][0]["Default"] = 16;
    const auto set = imported(content);
    ASSERT_TRUE(set) << to_string(set.error());
    EXPECT_EQ(configuration_of(set->project.variants[0]), (Configuration{{"block_size_x", 16}, {"width", 3}}));
    EXPECT_EQ(configuration_of(set->project.variants[1]), configuration_of(set->project.variants[0]));
}

TEST_F(T1Project, BeginsNearTheDefaultsAlsoInASpaceThatIsTooLargeToList) {
    json content = description();
    json& space = content["ConfigurationSpace"];
    space["Conditions"][0]["Expression"] = "block_size_x * width != 160";
    const auto begun = [&] { return configuration_of(imported(content).value().project.variants[0]); };
    EXPECT_EQ(begun(), (Configuration{{"block_size_x", 16}, {"width", 5}}));
    for (const char* name : {"a", "b"})
        space["TuningParameters"].push_back({{"Name", name}, {"Values", "list(range(1, 2001))"}, {"Default", 7}});
    const Configuration many = begun();
    EXPECT_NE(many.at("block_size_x") * many.at("width"), 160);
    space["Conditions"][0]["Expression"] = "block_size_x * width == 160";
    EXPECT_EQ(begun(), (Configuration{{"block_size_x", 32}, {"width", 5}, {"a", 7}, {"b", 7}}));
}

TEST_F(T1Project, LeavesAConstWhereverItStands) {
    const std::string text =
        "#include \"sizes.h\"\nextern \"C\" __global__ void blur(float *output, float const *__restrict__ input, "
        "float const* filter) {}\n";
    ASSERT_TRUE(write_file_atomic(folder / "kernels/blur.cu", text));
    const auto set = imported(description());
    ASSERT_TRUE(set) << to_string(set.error());
    EXPECT_EQ(set->texts.at("blur.cu"), text);
}

TEST_F(T1Project, MakesScalarsVariablesOfTheBody) {
    ASSERT_TRUE(write_file_atomic(
        folder / "kernels/blur.cu",
        "#include \"sizes.h\"\n__global__ void blur(int n, float *output, const float *input, float scale, const float "
        "*filter,\n  double last) { n = 1; }\n"));
    json content = description();
    json& arguments = content["KernelSpecification"]["Arguments"];
    const auto scalar = [](const char* name, const char* type, const json& value) {
        return json{{"Name", name}, {"Type", type}, {"MemoryType", "Scalar"}, {"FillValue", value}};
    };
    arguments.push_back(scalar("last", "double", 1e-5));
    arguments.insert(arguments.begin() + 2, scalar("scale", "float", 2));
    arguments.insert(arguments.begin(), scalar("n", "int", "ProblemSize[0]*2"));
    const auto set = imported(content);
    ASSERT_TRUE(set) << to_string(set.error());
    EXPECT_EQ(set->texts.at("blur.cu"),
              "#include \"sizes.h\"\nextern \"C\" __global__ void blur(float *output, const float *input, const float "
              "*filter) { int n = 8192; float scale = 2; double last = 1e-05; n = 1; }\n");
    EXPECT_THAT(set->project.variants[0].launches[0].args, ElementsAre("image", "padded", "filter"));
    EXPECT_THAT(set->project.definition.inputs, SizeIs(2));
    EXPECT_THAT(to_string(set->edits), HasSubstr("line 2: `scale` is a variable of the body with the value 2"));
    for (const json& value : {json(1e300), json(-1e300), json(3'000'000'000)}) {
        arguments[0] = scalar("n", "int", value);
        EXPECT_THAT(to_string(imported(content).error()), HasSubstr("is outside of int")) << value;
    }
    arguments[0] = scalar("n", "int", -2147483648.0);
    EXPECT_TRUE(imported(content));
}

TEST_F(T1Project, TakesAProblemSizeOfOneNumberAndNoSharedMemory) {
    EXPECT_EQ(errors_with("/KernelSpecification/SharedMemory", nullptr), "");
    EXPECT_EQ(errors_with("/KernelSpecification/ProblemSize", json::array({"4096", 7})), "");
    json content = description();
    content["KernelSpecification"]["ProblemSize"] = 100;
    for (json& each : content["KernelSpecification"]["Arguments"]) each["Size"] = "ProblemSize[0]";
    const auto set = imported(content);
    ASSERT_TRUE(set) << to_string(set.error());
    EXPECT_THAT(set->project.variants[0].launches[0].grid, ElementsAre("cdiv(100, (block_size_x) * (2))"));
    EXPECT_EQ(set->project.cases[0].name, "100 f32");
}

json argument_of(const char* name, const char* type, const json& further) {
    json argument = {{"Name", name}, {"Type", type}, {"AccessType", "ReadOnly"}};
    argument.update(further);
    return argument;
}

TEST_F(T1Project, HasAGridOfThreadsOrBlocksWithoutAProblemSize) {
    json content = description();
    json& kernel = content["KernelSpecification"];
    kernel.erase("ProblemSize");
    kernel.erase("GridDivX");
    kernel["GlobalSize"] = {{"X", "4096 // width"}, {"Y", "7"}};
    for (json& each : kernel["Arguments"]) each["Size"] = 28672;
    const auto grid = [&](const char* kind) {
        kernel["GlobalSizeType"] = kind;
        const auto set = imported(content);
        return set ? set->project.variants[0].launches[0].grid : std::vector{to_string(set.error()).text()};
    };
    EXPECT_THAT(grid("CUDA"), ElementsAre("4096 // width", "7"));
    EXPECT_THAT(grid("OpenCL"), ElementsAre("cdiv(4096 // width, block_size_x)", "cdiv(7, 1)"));
    EXPECT_THAT(grid("SYCL"), ElementsAre(HasSubstr("the number of blocks cannot be told")));
    EXPECT_EQ(imported([&] {
                  kernel["GlobalSizeType"] = "OpenCL";
                  return content;
              }())
                  ->project.cases[0]
                  .name,
              "28672 f32");
}

TEST_F(T1Project, TakesAnOutputThatBeginsWithAConstant) {
    json content = description();
    json& output = content["KernelSpecification"]["Arguments"][0];
    output.update({{"AccessType", "ReadWrite"}, {"FillType", "Constant"}, {"FillValue", 0.0}, {"Output", 1}});
    const auto set = imported(content);
    ASSERT_TRUE(set) << to_string(set.error());
    EXPECT_THAT(set->project.definition.outputs, SizeIs(1));
    EXPECT_THAT(to_string(set->notes), HasSubstr("`image` is an output, which the file begins with a constant"));
    output["FillType"] = "Random";
    EXPECT_THAT(to_string(imported(content).error()), HasSubstr("it is read and written"));
}

TEST_F(T1Project, MakesPointersToOtherTypesVariablesOfTheBody) {
    ASSERT_TRUE(write_file_atomic(
        folder / "kernels/blur.cu",
        "#include \"sizes.h\"\n__constant__ float d_filter[33];\n"
        "extern \"C\" __global__ void blur(float4 *output, // rows, columns\n  const float2* __restrict__ input,\n"
        "  unsigned int key /* (of it), */, const half* small) { return; }\n"));
    json content = description();
    json& arguments = content["KernelSpecification"]["Arguments"];
    arguments = json::array({argument_of("", "float4", {{"AccessType", "WriteOnly"}, {"Size", 64}}),
                             argument_of("", "float", {{"Size", 256}}),
                             argument_of("key", "uint32", {{"MemoryType", "Scalar"}, {"FillValue", 4026531839}}),
                             argument_of("small", "half", {{"Size", 8}})});
    arguments[0].erase("Name");
    const auto set = imported(content);
    ASSERT_TRUE(set) << to_string(set.error());
    EXPECT_THAT(set->texts.at("blur.cu"),
                HasSubstr("void blur(float* output_given,                 \n  const float* input_given"));
    EXPECT_THAT(set->texts.at("blur.cu"),
                HasSubstr("const kg_f16* small_given) { float4 *output = (float4*)output_given; const float2* "
                          "__restrict__ input = (float2*)input_given; unsigned int key = 4026531839; const half* small "
                          "= (half*)small_given; return; }"));
    EXPECT_THAT(set->texts.at("blur.cu"), ::testing::StartsWith("#include <kernelgen.cuh>\n"));
    EXPECT_THAT(set->project.variants[0].launches[0].args, ElementsAre("output", "input", "small"));
    EXPECT_EQ(set->project.definition.outputs[0].shape, (std::vector<std::string>{"256"}));
    EXPECT_THAT(to_string(set->edits),
                HasSubstr("`output` is a variable of the body, which `float* output_given` sets"));
}

TEST_F(T1Project, LeavesAPointerThatTheBodyHandsOnWithoutConst) {
    ASSERT_TRUE(
        write_file_atomic(folder / "kernels/blur.cu",
                          "#include \"sizes.h\"\nextern \"C\" __global__ void blur(float *output, float *input, "
                          "float *filter) { float *p = input + 1; output[0] = *p * filter[0]; }\n"));
    const auto set = imported(description());
    ASSERT_TRUE(set) << to_string(set.error());
    EXPECT_THAT(set->texts.at("blur.cu"),
                HasSubstr("void blur(float *output, const float* input_given, const float *filter) { float *input = "
                          "(float*)input_given; float *p = input + 1;"));
}

TEST_F(T1Project, FindsTheKernelBesideTheFoldersFolderAndNamesItsCopyAsSuchFilesAreNamed) {
    ASSERT_TRUE(write_file_atomic(folder / "kernels/blur.h", kernel_text));
    std::filesystem::create_directories(folder / "described");
    json content = description();
    content["KernelSpecification"]["KernelFile"] = "kernels/blur.h";
    ASSERT_TRUE(write_file_atomic(folder / "described/blur.T1.json", content.dump()));
    const auto set = read_t1_project(folder / "described/blur.T1.json");
    ASSERT_TRUE(set) << to_string(set.error());
    EXPECT_EQ(set->project.variants[0].source, "blur.cu");
    EXPECT_TRUE(set->texts.contains("sizes.h"));
}

TEST_F(T1Project, SaysWhichOptionsAreLeftOutAndDefinesWhatKernelTunerDoes) {
    ASSERT_TRUE(write_file_atomic(folder / "kernels/blur.cu",
                                  std::string("#ifndef kernel_tuner\n#define block_size_x 8\n#endif\n") + kernel_text));
    json content = description();
    content["KernelSpecification"]["CompilerOptions"] = {"", "-use_fast_math", "-std=c++14", "-DX=1"};
    const auto set = imported(content);
    ASSERT_TRUE(set) << to_string(set.error());
    EXPECT_THAT(set->project.variants[0].flags, ElementsAre("-DX=1", "-Dkernel_tuner=1"));
    EXPECT_THAT(to_string(set->notes), HasSubstr("`-use_fast_math` is left out: it is refused: it changes what NaN"));
    EXPECT_THAT(to_string(set->notes), HasSubstr("`-std=c++14` is left out: sources are compiled as C++20"));
}

TEST_F(T1Project, SaysWhatCannotBeImported) {
    const std::string kernel = "/KernelSpecification";
    EXPECT_THAT(errors_with(kernel, nullptr), HasSubstr("there is no kernel to import"));
    EXPECT_THAT(errors_with(kernel + "/Language", "OpenCL"), HasSubstr("the language `OpenCL` is not CUDA"));
    EXPECT_THAT(errors_with(kernel + "/KernelFile", "other.cu"), HasSubstr("other.cu"));
    EXPECT_THAT(errors_with(kernel + "/KernelName", "sharpen"),
                HasSubstr("the source defines no `__global__` function `sharpen`"));
    EXPECT_THAT(errors_with(kernel + "/Arguments/0/Type", "matrix"),
                HasSubstr("vectors of the type `matrix` are not known here"));
    EXPECT_THAT(errors_with(kernel + "/Arguments/0/Type", "uint32"),
                HasSubstr("vectors of the type `uint32` are not known here"));
    EXPECT_THAT(errors_with(kernel + "/Arguments/0/AccessType", "ReadWrite"), HasSubstr("it is read and written"));
    EXPECT_THAT(errors_with(kernel + "/Arguments/0/MemoryType", "Scalar"),
                HasSubstr("KernelSpecification.Arguments[0]: the scalar has no value"));
    EXPECT_THAT(errors_with(kernel + "/Arguments/0/MemoryType", "Image"),
                HasSubstr("the memory type `Image` is neither Vector nor Scalar"));
    EXPECT_THAT(errors_with(kernel + "/Arguments/1/Size", "len(x)"), HasSubstr("the size `len(x)` cannot be computed"));
    EXPECT_THAT(errors_with(kernel + "/Arguments/1/Size", "ProblemSize[0] * 9000000000000000"),
                HasSubstr("cannot be computed: Size:1:5: overflows a 64-bit integer"));
    EXPECT_THAT(errors_with(kernel + "/Arguments/1/Size", "ProblemSize[0] * 0"),
                HasSubstr("the size `4096*0` cannot be computed: it is 0"));
    EXPECT_THAT(errors_with(kernel + "/Arguments/1/MemType", "Constant"), ::testing::IsEmpty());
    json fewer = description()["KernelSpecification"]["Arguments"];
    fewer.erase(1);
    EXPECT_THAT(errors_with(kernel + "/Arguments", fewer),
                HasSubstr("`blur` has 3 parameters, and the T1 file 2 arguments, 1 of them constants"));
}

}  // namespace
}  // namespace kernelgen
