// SPDX-License-Identifier: Apache-2.0
// One thing wrong with a project, and what is said about it: path, reason, suggestion.
#include <gtest/gtest.h>

#include "tests/core_project/example.h"

namespace kernelgen {
namespace {

using nlohmann::json;

struct Fault {
    const char* name;
    const char* pointer;  ///< into the example
    json value;           ///< put there; null: taken away
    const char* message;
};

void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.pointer << " = " << fault.value; }

class ProjectFault : public testing::TestWithParam<Fault> {};

TEST_P(ProjectFault, IsTheOnlyThingReported) {
    const Fault& fault = GetParam();
    const json project =
        fault.value.is_null() ? example_without(fault.pointer) : example_with(fault.pointer, fault.value);
    EXPECT_EQ(errors_of(project), std::string(fault.message) + "\n");
}

std::string name_of_fault(const testing::TestParamInfo<Fault>& fault) { return fault.param.name; }

INSTANTIATE_TEST_SUITE_P(
    Form, ProjectFault,
    testing::Values(
        Fault{"UnknownKey", "/operator/familiy", "tile",
              "operator.familiy: unknown key `familiy`; did you mean `family`?"},
        Fault{"UnknownTopKey", "/variant", json::array(), "variant: unknown key `variant`; did you mean `variants`?"},
        Fault{"UnknownKeyOfLaunch", "/variants/0/launch/gird", json::array(),
              "variants[0].launch.gird: unknown key `gird`; did you mean `grid`?"},
        Fault{"MissingSchema", "/schema", nullptr,
              "the key `schema` is missing; a project begins with \"schema\": \"kernelgen.project/1\""},
        Fault{"OtherSchema", "/schema", "other/1",
              "schema: `other/1` is not a kernelgen project; expected `kernelgen.project/1`"},
        Fault{"SchemaIsANumber", "/schema", 1, "schema: expected a string, found the number 1"},
        Fault{"NewerSchema", "/schema", "kernelgen.project/2",
              "schema: kernelgen.project/2 is newer than this program reads (1); update kernelgen"},
        Fault{"SchemaZero", "/schema", "kernelgen.project/0",
              "schema: `kernelgen.project/0` is not a kernelgen project; expected `kernelgen.project/1`"},
        Fault{"MissingOperator", "/operator", nullptr, "the key `operator` is missing"},
        Fault{"MissingName", "/operator/name", nullptr, "operator: the key `name` is missing"},
        Fault{"OperatorIsAnArray", "/operator", json::array(), "operator: expected an object, found an array"},
        Fault{"BodyIsANumber", "/operator/body", 3, "operator.body: expected a string, found the number 3"},
        Fault{"ShapeIsAString", "/operator/inputs/0/shape", "P",
              "operator.inputs[0].shape: expected an array, found the string `P`"},
        Fault{"DimensionIsHalf", "/operator/inputs/0/shape/0", 1.5,
              "operator.inputs[0].shape[0]: expected a string, found the number 1.5"},
        Fault{"UnknownDtype", "/cases/0/dtype", "fp32", "cases[0].dtype: unknown dtype `fp32`; did you mean `f32`?"},
        Fault{"UnknownLanguage", "/variants/0/language", "rust",
              "variants[0].language: unknown language `rust`; one of: cpp, cuda, triton, torch, extension, library"},
        Fault{"SizeIsAString", "/cases/0/P", "4096", "cases[0].P: expected an integer, found the string `4096`"},
        Fault{"SizeIsHalf", "/cases/0/P", 0.5, "cases[0].P: expected an integer, found the number 0.5"},
        Fault{"SizeBeyondSigned", "/cases/0/P", 9223372036854775808u,
              "cases[0].P: the integer 9223372036854775808 does not fit 64 bits"},
        Fault{"DeterministicIsAString", "/variants/0/deterministic", "no",
              "variants[0].deterministic: expected true or false, found the string `no`"},
        Fault{"ToleranceLacksAtol", "/accuracy", {{"rtol", 1e-3}}, "accuracy: the key `atol` is missing"},
        Fault{"ToleranceOfUnknownDtype",
              "/accuracy/bf15",
              {{"rtol", 1}, {"atol", 1}},
              "accuracy.bf15: unknown key `bf15`; did you mean `bf16`?"},
        Fault{"BaselineIsANumber", "/performance/baseline", 3,
              "performance.baseline: expected a variant's name, or an object such as {\"cpu\": \"library\"}"},
        Fault{"UnknownCaches", "/performance/caches", "hot",
              "performance.caches: unknown state of the caches `hot`; one of: cold, warm"},
        Fault{"LaunchAndLaunches", "/variants/0/launches", json::array(),
              "variants[0]: `launch` and `launches` exclude each other; keep one of them"},
        Fault{"RoundsTooMany", "/performance/max_rounds", 3000000000,
              "performance.max_rounds: 3000000000 is too large"}),
    name_of_fault);

INSTANTIATE_TEST_SUITE_P(
    Operator, ProjectFault,
    testing::Values(
        Fault{"BodyWithUnknownName", "/operator/body", "out = x + bais + bias",
              "operator.body:1:11: unknown name `bais`; did you mean `bias`?"},
        Fault{"BodyWithCycle", "/operator/body", "a = out + x\nout = a + bias",
              "operator.body:1:5: `out` is used before its assignment at body:2:1; assignments are evaluated in order "
              "and cannot form a cycle"},
        Fault{"NoBody", "/operator/body", nullptr, "operator.body: output `out` is not assigned; add `out = …`"},
        Fault{"UnknownFamily", "/operator/family", "tiel",
              "operator.family: unknown family `tiel`; did you mean `tile`?"},
        Fault{"LaterFamily", "/operator/family", "matmul",
              "operator.family: family `matmul` is not supported by this version; one of: tile, custom, callable"},
        Fault{"NameIsAKeyword", "/operator/name", "class",
              "operator.name: `class` is a keyword of C++; choose another name"},
        Fault{"NameHasBlanks", "/operator/name", "bias add",
              "operator.name: `bias add` is no identifier: a letter, then letters, digits and underscores; choose "
              "another name"},
        Fault{"UnknownSymbolInShape", "/operator/inputs/1/shape/0", "DD",
              "operator.inputs[1].shape[0]: unknown symbol `DD`; did you mean `D`?"},
        Fault{"DimensionZero", "/operator/inputs/1/shape/0", 0, "operator.inputs[1].shape[0]: dimension 0 is below 1"},
        Fault{"DimensionBeyond64Bits", "/operator/inputs/1/shape/0", "99999999999999999999",
              "operator.inputs[1].shape[0]: unknown symbol `99999999999999999999`; one of: P, D"},
        Fault{"AttributeTakesASymbolsName",
              "/operator/attributes",
              {{"D", 2}},
              "operator.attributes.D: the name `D` is taken already; symbols, inputs, outputs and attributes need "
              "different names"},
        Fault{"AttributeThatIsAText",
              "/operator/attributes",
              {{"mode", "mean"}},
              "operator.attributes.mode: expected a number, true or false, found string"},
        Fault{
            "AttributeBeyondExactIntegers",
            "/operator/attributes",
            {{"seed", (std::int64_t{1} << 53) + 2}},
            "operator.attributes.seed: an integer is at most 2^53; write it with `.0` to have a floating-point number"},
        Fault{"AttributeNamedAsAFunction",
              "/operator/attributes",
              {{"pow", 2}},
              "operator.attributes.pow: `pow` is a word of the operator language; choose another name"},
        Fault{"AttributeNamedAsAConstant",
              "/operator/attributes",
              {{"pi", 3}},
              "operator.attributes.pi: `pi` is a word of the operator language; choose another name"},
        Fault{"ConstraintWithUnknownName", "/operator/constraints/0", "P >= Q",
              "operator.constraints[0]:1:6: unknown name `Q`"},
        Fault{"ConstraintThatDoesNotParse", "/operator/constraints/0", "P >",
              "operator.constraints[0]:1:4: unexpected end; expected a number, a name, a function or `(`"},
        Fault{"ArithmeticInBf16", "/operator/arithmetic", "bf16",
              "operator.arithmetic: arithmetic is in `f32` or `f64`"},
        Fault{
            "AccumulateWithoutAProduct", "/operator/accumulate", "f22",
            "operator.accumulate: only products of two matrices, and attention, of 8-bit floating-point dtypes add so "
            "coarsely on tensor cores; "
            "remove it"},
        Fault{"AccumulateInAnUnknownFormat", "/operator/accumulate", "f16",
              "operator.accumulate: unknown format of sums `f16`; one of: f22"},
        Fault{"ReferenceOfTile", "/operator/reference", "host",
              "operator.reference: the reference of family `tile` is its body; remove `reference`"},
        Fault{"DomainIsAWord", "/operator/inputs/0/domain", "negative",
              "operator.inputs[0].domain: expected a domain; one of: \"positive\", [0, 1], {\"integers\": [0, 9]}"},
        Fault{"DomainOfOneNumber",
              "/operator/inputs/0/domain",
              {1},
              "operator.inputs[0].domain: expected two numbers, the least and the greatest value; such as [0, 1]"},
        Fault{"DomainWithUnknownKey",
              "/operator/inputs/0/domain",
              {{"integers", {0, 9}}, {"step", 2}},
              "operator.inputs[0].domain.step: unknown key `step`; one of: integers"},
        Fault{"DomainIsEmpty",
              "/operator/inputs/0/domain",
              {2, 1},
              "operator.inputs[0].domain: the domain is empty: 2 is above 1; such as \"positive\", [0, 1] or "
              "{\"integers\": [0, 9]}"},
        Fault{"DomainOfAnOutput", "/operator/outputs/0/domain", "positive",
              "operator.outputs[0].domain: an output has no domain; remove it"},
        Fault{"UnusedInput", "/operator/body", "out = x",
              "operator.body: input `bias` is not used; use it, or remove it from the inputs"}),
    name_of_fault);

INSTANTIATE_TEST_SUITE_P(
    Cases, ProjectFault,
    testing::Values(
        Fault{"SizeZero", "/cases/0/P", 0, "cases[0].P: size 0 of `P` is below 1"},
        Fault{"SizeNegative", "/cases/0/D", -5, "cases[0].D: size -5 of `D` is below 1"},
        Fault{"SizeMissing", "/cases/0/D", nullptr, "cases[0]: symbol `D` has no size"},
        Fault{"UnknownSymbol", "/cases/0/Q", 5, "cases[0].Q: unknown symbol `Q`; one of: P, D"},
        Fault{"Overflow", "/cases/0/P", 1ll << 50,
              "cases[0]: input `x` of 1125899906842624 × 4096 elements overflows 2^63 bytes; choose smaller sizes\n"
              "cases[0]: output `out` of 1125899906842624 × 4096 elements overflows 2^63 bytes; choose smaller sizes"},
        Fault{"ConstraintViolated", "/operator/constraints/1", "D % 2 == 0",
              "cases[1]: constraint `D % 2 == 0` does not hold: D = 333"},
        Fault{"NameTaken", "/cases/1/name", "square",
              "cases[1].name: the name `square` is taken already; choose another name"},
        Fault{"NameEmpty", "/cases/1/name", "",
              "cases[1].name: `` is no name for a case; use up to 100 printable characters"},
        Fault{"NameWithNewline", "/cases/1/name", "a\nb",
              "cases[1].name: `a?b` is no name for a case; use up to 100 printable characters"},
        Fault{"NegativeTolerance", "/accuracy/rtol", -1, "accuracy.rtol: must be a finite number, 0 or more"},
        Fault{"NegativeToleranceOfADtype", "/accuracy/bf16/atol", -1,
              "accuracy.bf16.atol: must be a finite number, 0 or more"},
        Fault{"ToleranceOfAnInteger",
              "/accuracy/i8",
              {{"rtol", 0.1}, {"atol", 1}},
              "accuracy.i8: integers are exact, a tolerance for them would change nothing; remove it"},
        Fault{"TargetZero", "/performance/target_speedup", 0,
              "performance.target_speedup: must be a finite number above 0"},
        Fault{"RoundsZero", "/performance/max_rounds", 0, "performance.max_rounds: must be at least 1"},
        Fault{"BudgetNegative", "/performance/budget_seconds", -1,
              "performance.budget_seconds: must be above 0 and at most 86400 seconds"},
        Fault{"UnknownBaseline", "/performance/baseline", "libary",
              "performance.baseline: unknown variant `libary`; did you mean `library`?"},
        Fault{"BaselineOfUnknownKind",
              "/performance/baseline",
              {{"cup", "host"}},
              "performance.baseline.cup: unknown kind of device `cup`; did you mean `cpu`?"},
        Fault{"BaselineThatDoesNotRunThere",
              "/performance/baseline",
              {{"cuda", "host"}},
              "performance.baseline.cuda: variant `host` does not run on `cuda`"}),
    name_of_fault);

INSTANTIATE_TEST_SUITE_P(
    Variants, ProjectFault,
    testing::Values(
        Fault{"NameTaken", "/variants/1/name", "host",
              "performance.baseline: unknown variant `library`; one of: host, host\nvariants[1].name: the name `host` "
              "is taken already; choose another name"},
        Fault{"NameIsAPath", "/variants/0/name", "../x",
              "variants[0].name: `../x` is no name for a variant; use up to 64 letters, digits, `_`, `-` and `.`"},
        Fault{"SourceEscapes", "/variants/0/source", "../bias_add.cpp",
              "variants[0].source: `../bias_add.cpp` leaves the project's folder"},
        Fault{"SourceEscapesInside", "/variants/0/source", "a/../../b.cpp",
              "variants[0].source: `a/../../b.cpp` leaves the project's folder"},
        Fault{"SourceAbsolute", "/variants/0/source", "/etc/passwd",
              "variants[0].source: `/etc/passwd` is absolute; sources live in the project's folder"},
        Fault{"SourceIsTheProject", "/variants/0/source", "./project.json",
              "variants[0].source: `./project.json` is one of the project's own files"},
        Fault{"SourceInRounds", "/variants/0/source", "rounds/1/x.cpp",
              "variants[0].source: `rounds/1/x.cpp` is one of the project's own files"},
        Fault{"SourceInTunings", "/variants/0/source", "tunings/1.jsonl",
              "variants[0].source: `tunings/1.jsonl` is one of the project's own files"},
        Fault{"SourceIsAFolder", "/variants/0/source", "kernels/",
              "variants[0].source: `kernels/` leaves the project's folder"},
        Fault{"SourceMissing", "/variants/0/source", nullptr, "variants[0]: the key `source` is missing"},
        Fault{"EntryMissing", "/variants/0/entry", nullptr,
              "variants[0].entry: `` is empty; name the kernel's function"},
        Fault{"LaunchMissing", "/variants/0/launch", nullptr, "variants[0]: the key `launch` is missing"},
        Fault{"GridEmpty", "/variants/0/launch/grid", json::array(),
              "variants[0].launch.grid: a grid has one to three axes"},
        Fault{"GridOfFour",
              "/variants/0/launch/grid",
              {1, 1, 1, 1},
              "variants[0].launch.grid: a grid has one to three axes"},
        Fault{"GridWithUnknownName", "/variants/0/launch/grid/0", "cdiv(P, BLOCK_K)",
              "variants[0].launch.grid[0]:1:9: unknown name `BLOCK_K`; did you mean `BLOCK_M`?"},
        Fault{"UnknownArgument", "/variants/0/launch/args/1", "bais",
              "variants[0].launch.args[1]: unknown argument `bais`; did you mean `bias`?"},
        Fault{"OutputNotWritten",
              "/variants/0/launch/args",
              {"x", "bias", "P", "D"},
              "variants[0]: no launch has the output `out` among its arguments"},
        Fault{"OrderNamesNoAxis",
              "/variants/0/launch/order",
              {0, 2},
              "variants[0].launch.order: must name each axis of the grid once, from 0"},
        Fault{"BlockOfACppLaunch",
              "/variants/0/launch/block",
              {256},
              "variants[0].launch.block: has no meaning for language `cpp`; remove it"},
        Fault{"ConstantOfACppLaunch",
              "/variants/0/launch/args",
              {"x", "bias", "out", "P", "D", {{"constant", "weights"}, {"from", "bias"}}},
              "variants[0].launch.args.constant: has no meaning for language `cpp`; remove it"},
        Fault{"ConstantFromNowhere",
              "/variants/0/launch/args",
              {"x", "bias", "out", "P", "D", {{"constant", "weights"}}},
              "variants[0].launch.args[5]: the key `from` is missing"},
        Fault{"TunableWithoutValues", "/variants/0/tunables/0/values", json::array(),
              "variants[0].tunables[0].values: a tunable needs at least one value"},
        Fault{"TunableDescending",
              "/variants/0/tunables/0/values",
              {16, 1},
              "variants[0].tunables[0].values: values must ascend, each once"},
        Fault{"TunableNegative",
              "/variants/0/tunables/0/values",
              {-1, 16},
              "variants[0].tunables[0].values: values must not be negative"},
        Fault{"TunableElsewhere", "/variants/0/tunables/0/value", 17,
              "variants[0].tunables[0].value: 17 is not among the values"},
        Fault{"RuleWithoutItsCondition",
              "/variants/0/configurations",
              {{{"values", {{"BLOCK_M", 1}}}}},
              "variants[0].configurations[0]: the key `when` is missing"},
        Fault{"RuleOnATunable",
              "/variants/0/configurations",
              {{{"when", "BLOCK_N > 1"}, {"values", {{"BLOCK_M", 1}}}}},
              "variants[0].configurations[0].when:1:1: unknown name `BLOCK_N`"},
        Fault{"RuleWithAValueElsewhere",
              "/variants/0/configurations",
              {{{"when", "D > 1"}, {"values", {{"BLOCK_M", 17}}}}},
              "variants[0].configurations[0].values: `BLOCK_M` cannot be 17; its values are 1, 16, 64"},
        Fault{"RuleWithoutValues",
              "/variants/0/configurations",
              {{{"when", "D > 1"}, {"values", json::object()}}},
              "variants[0].configurations[0].values: a rule needs at least one value"},
        Fault{"DispatchToNobody",
              "/dispatch",
              {{{"when", "D > 1"}, {"variant", "libary"}}},
              "dispatch[0].variant: unknown variant `libary`; did you mean `library`?"},
        Fault{"DispatchOnATunable",
              "/dispatch",
              {{{"when", "BLOCK_N > 1"}, {"variant", "library"}}},
              "dispatch[0].when:1:1: unknown name `BLOCK_N`"},
        Fault{"DispatchOnAnotherDevice",
              "/dispatch",
              {{{"when", "device.multiprocessors > 1"}, {"variant", "library"}}},
              "dispatch[0].when:1:1: unknown name `device.multiprocessors`"},
        Fault{"DispatchWithABrokenCondition",
              "/dispatch",
              {{{"when", "D >"}, {"variant", "library"}}},
              "dispatch[0].when:1:4: unexpected end; expected a number, a name, a function or `(`"},
        Fault{"DispatchWithoutItsVariant",
              "/dispatch",
              {{{"when", "D > 1"}}},
              "dispatch[0]: the key `variant` is missing"},
        Fault{"TunableNamedAsASymbol",
              "/variants/0/tunables/0",
              {{"name", "P"}, {"values", {1}}, {"value", 1}},
              "variants[0].tunables[0].name: the name `P` is taken already; choose another name\n"
              "variants[0].restrictions[0]:1:1: unknown name `BLOCK_M`; did you mean `BLOCK_N`?\n"
              "variants[0].launch.grid[0]:1:9: unknown name `BLOCK_M`; did you mean `BLOCK_N`?"},
        Fault{"RestrictionWithUnknownName", "/variants/0/restrictions/0", "BLOCK_M < warps",
              "variants[0].restrictions[0]:1:11: unknown name `warps`"},
        Fault{"LetOfNothing",
              "/variants/0/let",
              {"rows"},
              "variants[0].let[0]: `rows` gives no name a value; write it as `tiles = cdiv(P, 4)`"},
        Fault{"LetThatCompares",
              "/variants/0/let",
              {"P == 4"},
              "variants[0].let[0]: `P == 4` gives no name a value; write it as `tiles = cdiv(P, 4)`"},
        Fault{"LetThatIsTaken",
              "/variants/0/let",
              {"BLOCK_M = 4"},
              "variants[0].let[0]: the name `BLOCK_M` is taken already; choose another name"},
        Fault{"LetOfALaterOne", "/variants/0/let", {"a = b + 1", "b = P"}, "variants[0].let[0]:1:5: unknown name `b`"},
        Fault{"LetWithoutAnExpression",
              "/variants/0/let",
              {"a = "},
              "variants[0].let[0]:1:5: unexpected end; expected a number, a name, a function or `(`"},
        Fault{
            "LetOfAGpu",
            "/variants/0/let",
            {"a = device.multiprocessors"},
            "variants[0].let[0]:1:5: unknown name `device.multiprocessors`; of the device a variant in `cpp` may name "
            "device.threads"},
        Fault{"LetThatIsBrokenIsNotUnknownToo",
              "/variants/0/let",
              {"a = P +", "b = a"},
              "variants[0].let[0]:1:8: unexpected end; expected a number, a name, a function or `(`"},
        Fault{"FastMath",
              "/variants/0/flags",
              {"-O3", "-ffast-math"},
              "variants[0].flags[1]: `-ffast-math` is refused: it changes what NaN, Inf or signed zeros do"},
        Fault{"OutputFlag",
              "/variants/0/flags",
              {"-o/tmp/x"},
              "variants[0].flags[0]: `-o/tmp/x` is refused: what the build makes, and where, is not the project's "
              "choice"},
        Fault{"FileAsFlag",
              "/variants/0/flags",
              {"@flags"},
              "variants[0].flags[0]: `@flags` is no compiler flag: it does not begin with `-`"},
        Fault{"UnknownLibrary", "/variants/1/library", "onedn",
              "variants[1].library: unknown library `onedn`; did you mean `onednn`?"},
        Fault{"PrimitiveMissing", "/variants/1/primitive", nullptr, "variants[1]: the key `primitive` is missing"},
        Fault{"LibraryWithSource", "/variants/1/source", "x.cpp",
              "variants[1].source: has no meaning for language `library`; remove it"},
        Fault{"UnknownDevice",
              "/variants/0/devices",
              {"gpu"},
              "variants[0].devices[0]: unknown kind of device `gpu`; did you mean `cpu`?"},
        Fault{"DeviceOfAnotherLanguage",
              "/variants/0/devices",
              {"cuda"},
              "variants[0].devices[0]: language `cpp` does not run on `cuda`"},
        Fault{"WorkspaceWithUnknownName",
              "/variants/0/workspace",
              {{{"name", "scratch"}, {"shape", {"Q"}}}},
              "variants[0].workspace[0].shape[0]:1:1: unknown name `Q`"}),
    name_of_fault);

TEST(ProjectErrors, AreAllReported) {
    json project = example_json();
    project["operator"]["body"] = "out = x + bais + bias";
    project["cases"][0]["P"] = 0;
    project["cases"][1]["Q"] = 1;
    project["accuracy"]["rtol"] = -1;
    project["performance"]["target_speedup"] = -2;
    project["variants"][0]["tunables"][1]["value"] = 3;
    project["variants"][1]["library"] = "mkl";
    EXPECT_EQ(errors_of(project),
              "operator.body:1:11: unknown name `bais`; did you mean `bias`?\n"
              "cases[0].P: size 0 of `P` is below 1\n"
              "cases[1].Q: unknown symbol `Q`; one of: P, D\n"
              "accuracy.rtol: must be a finite number, 0 or more\n"
              "performance.target_speedup: must be a finite number above 0\n"
              "variants[0].tunables[1].value: 3 is not among the values\n"
              "variants[1].library: unknown library `mkl`; one of: onednn, cudnn, cublaslt\n");
}

TEST(ProjectErrors, OfFormDoNotBringForthErrorsOfMeaning) {
    json project = example_json();
    project["operator"]["inputs"][0]["shap"] = project["operator"]["inputs"][0]["shape"];
    project["operator"]["inputs"][0].erase("shape");
    EXPECT_EQ(errors_of(project),
              "operator.inputs[0]: the key `shape` is missing\n"
              "operator.inputs[0].shap: unknown key `shap`; did you mean `shape`?\n");
    project = example_json();
    project["variants"][1]["language"] = "libary";
    project["cases"][0]["P"] = 0;
    EXPECT_EQ(errors_of(project),
              "variants[1].language: unknown language `libary`; did you mean `library`?\n"
              "cases[0].P: size 0 of `P` is below 1\n");
}

TEST(ProjectErrors, OfACustomOperatorAskForItsReference) {
    json project = example_json();
    project["operator"]["family"] = "custom";
    EXPECT_EQ(
        errors_of(project),
        "operator.body: family `custom` has no body; remove it, or make the family `tile` and remove the reference\n"
        "operator: the key `reference` is missing; name the variant that is the reference\n");
    project["operator"].erase("body");
    project["operator"]["reference"] = "hots";
    EXPECT_EQ(errors_of(project), "operator.reference: unknown variant `hots`; did you mean `host`?\n");
    project["operator"]["reference"] = "host";
    EXPECT_EQ(errors_of(project), "");
}

json python_variant(const json& changes) {
    json variant = {
        {"name", "triton"}, {"language", "triton"}, {"source", "bias_add_triton.py"}, {"entry", "bias_add"}};
    variant.update(changes);
    return example_with("/variants/2", variant);
}

TEST(ProjectErrors, AreNoneWhereAPythonVariantNamesAFunctionAndItsTests) {
    EXPECT_EQ(errors_of(python_variant(json::object())), "");
    EXPECT_EQ(errors_of(python_variant({{"companions",
                                         {{{"kind", "accuracy"}, {"source", "bias_add_accuracy.py"}},
                                          {{"kind", "performance"}, {"source", "bias_add_performance.py"}}}}})),
              "");
    EXPECT_EQ(errors_of(python_variant({{"language", "torch"}, {"compile", true}})), "");
}

TEST(ProjectErrors, SayWhatAPythonVariantCannotHave) {
    EXPECT_EQ(
        errors_of(python_variant({{"entry", "bias-add"}})),
        "variants[2].entry: `bias-add` is no identifier: a letter, then letters, digits and underscores; name the "
        "file's function\n");
    EXPECT_EQ(errors_of(python_variant({{"compile", true}})),
              "variants[2].compile: has no meaning for language `triton`; remove it\n");
    EXPECT_EQ(errors_of(python_variant({{"flags", {"-O3"}}})),
              "variants[2].flags: has no meaning for language `triton`; remove it\n");
    EXPECT_EQ(errors_of(python_variant({{"companions", {{{"kind", "speed"}, {"source", "a.py"}}}}})),
              "variants[2].companions[0].kind: unknown kind of companion `speed`; one of: accuracy, performance\n");
    EXPECT_EQ(errors_of(python_variant(
                  {{"companions",
                    {{{"kind", "accuracy"}, {"source", "a.py"}}, {{"kind", "accuracy"}, {"source", "../b.py"}}}}})),
              "variants[2].companions[1].kind: there is another companion of the kind `accuracy`; remove one of them\n"
              "variants[2].companions[1].source: `../b.py` leaves the project's folder\n");
}

TEST(ProjectErrors, BeginWithTheFile) {
    const auto project = parse_project("{}", "/project/project.json");
    ASSERT_FALSE(project);
    EXPECT_EQ(project.error()[0].file, "/project/project.json");
}

}  // namespace
}  // namespace kernelgen
