// SPDX-License-Identifier: Apache-2.0
#include "core/backend/executor_requests.h"

#include <gmock/gmock.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <set>

namespace kernelgen {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using Pointer = json::json_pointer;

/// A call that has something of everything.
Call full_call() {
    Call call;
    call.inputs = {{"x", DType::f32, {64, 128}, 32768}, {"p", DType::f16, {128}, 256, Domain{}}};
    call.outputs = {{"y", DType::bf16, {64, 128}, 16384}};
    call.workspace_dtypes = {DType::f64};
    call.attributes = {{"eps", 1e-5, AttributeType::real}, {"causal", 1, AttributeType::boolean}};
    call.symbols = {64, 128};
    call.free_symbols = {{"N", 7}};
    using Kind = Argument::Kind;
    PlannedLaunch launch{.entry = "kernel", .grid = {8, 4, 1}, .order = {2, 0, 1}, .block = {256, 1, 1}};
    launch.threads = 2;
    launch.shared_bytes = 1024;
    launch.args = {{Kind::input, 1, "p"},
                   {Kind::output, 0, "y"},
                   {Kind::workspace, 0, "w"},
                   {Kind::attribute, 1, "c"},
                   {Kind::symbol, 1, "D"}};
    launch.constants = {{"weights", 1}};
    call.plan = {{launch}, {512}};
    return call;
}

Layout full_layout() { return {{{4096, 32768}, {45056, 256}}, {{49408, 16384}}, {{69888, 4096}}, 78080}; }

Artifact full_artifact() {
    Artifact artifact{.language = Language::triton, .path = "a.py", .library = "", .primitive = "", .python = {}};
    artifact.python = {.file = "a.py", .text = "t", .entry = "f", .configuration = {{"B", 128}}, .compile = true};
    artifact.python.files = {{"b.py", "u"}};
    artifact.python.judges = {.in_float64 = true, .noise = 3, .ties = -1};
    artifact.symbols = {{"f<float>", "_Z1fIfEvv"}};
    return artifact;
}

SampleRequest full_sample() {
    SampleRequest request;
    request.turns = {{0, 1}, {1, SampleRequest::nobody}};
    request.states = {1, 2, 3, std::numeric_limits<std::uint64_t>::max()};
    request.flush = false;
    request.poison = 255;
    request.key = std::numeric_limits<std::uint64_t>::max();
    request.capture = {1, 2, 3};
    request.neighbour_gbps = 1200.5;
    return request;
}

std::vector<Request> all_requests() {
    return {LoadRequest{3, full_artifact(), full_call(), true},
            RunRequest{1, full_call(), full_layout(), Placement::starts_guarded, 256},
            PrepareRequest{{full_call(), Call{}}, full_layout(), 4},
            RefillRequest{{{5, 1, 8, 16, 78080}}},
            full_sample(),
            CountRequest{2},
            ClearRequest{}};
}

json json_of(const Request& request) { return json::parse(to_line(request)); }

/// Why a request is refused; empty where it is not.
std::string refusal(const json& request) {
    const Result<Request> read = read_request(request.dump());
    return read ? "" : read.error().message;
}

/// The places of all values within `value`.
std::vector<Pointer> places_in(const json& value, const Pointer& here = Pointer()) {
    std::vector<Pointer> places;
    if (!value.is_structured()) return places;
    for (const auto& [key, element] : value.items()) {
        const Pointer place = value.is_array() ? here / std::stoul(key) : here / key;
        places.push_back(place);
        for (const Pointer& each : places_in(element, place)) places.push_back(each);
    }
    return places;
}

TEST(Requests, AreReadAsTheyWereWritten) {
    for (const Request& request : all_requests()) {
        const std::string line = to_line(request);
        const Result<Request> read = read_request(line);
        ASSERT_TRUE(read) << line << "\n" << read.error().message;
        EXPECT_EQ(read->index(), request.index());
        EXPECT_EQ(to_line(*read), line);
    }
}

TEST(Requests, KeepTheirValues) {
    const auto load = std::get<LoadRequest>(read_request(to_line(all_requests()[0])).value());
    EXPECT_EQ(load.slot, 3);
    EXPECT_TRUE(load.trial);
    EXPECT_EQ(load.artifact.language, Language::triton);
    EXPECT_EQ(load.artifact.python.judges, (Judging{true, 3, -1}));
    EXPECT_EQ(load.call.inputs[1].domain, Domain{});
    EXPECT_EQ(load.call.inputs[0].domain, std::nullopt);
    EXPECT_EQ(load.call.plan.launches[0].args[2].kind, Argument::Kind::workspace);
    EXPECT_EQ(load.call.attributes[1].type, AttributeType::boolean);
    EXPECT_EQ(load.call.plan.launches[0].constants[0].constant, "weights");
    EXPECT_EQ(load.call.plan.launches[0].constants[0].input, 1);
    const auto run = std::get<RunRequest>(read_request(to_line(all_requests()[1])).value());
    EXPECT_EQ(run.placement, Placement::starts_guarded);
    EXPECT_EQ(run.alignment, 256U);
    EXPECT_EQ(run.layout.workspace[0].offset, 69888U);
    const auto sample = std::get<SampleRequest>(read_request(to_line(full_sample())).value());
    EXPECT_EQ(sample.turns, full_sample().turns);
    EXPECT_EQ(sample.states, full_sample().states);
    EXPECT_EQ(sample.key, full_sample().key);
    EXPECT_EQ(sample.capture->turn, 3U);
    EXPECT_EQ(sample.neighbour_gbps, 1200.5);
}

TEST(Requests, NameTheKindsOfArguments) {
    json args = json_of(all_requests()[0]).at("/call/launches/0/args"_json_pointer);
    std::vector<std::string> kinds;
    for (const json& each : args) kinds.push_back(each.at("kind"));
    EXPECT_THAT(kinds, ::testing::ElementsAre("input", "output", "workspace", "attribute", "symbol"));
}

TEST(Requests, InWhichAValueIsOfAnotherTypeAreRefused) {
    for (const Request& request : all_requests()) {
        const json whole = json_of(request);
        for (const Pointer& place : places_in(whole)) {
            json wrong = whole;
            wrong[place] = nullptr;
            EXPECT_THAT(refusal(wrong), HasSubstr(": ")) << place;
        }
    }
}

TEST(Requests, InWhichAFieldIsMissingOrUnknownAreRefused) {
    const std::set<std::string> may_be_missing = {"domain",   "constants", "python",  "symbols",
                                                  "files",    "judges",    "capture", "b.py",
                                                  "f<float>", "B",         "N",       "neighbour_gbps"};
    const std::set<std::string> have_any_key = {"configuration", "files", "free_symbols", "symbols"};
    for (const Request& request : all_requests()) {
        const json whole = json_of(request);
        for (const Pointer& place : places_in(whole)) {
            const json& parent = whole.at(place.parent_pointer());
            json lacking = whole, longer = whole;
            if (parent.is_object() && !may_be_missing.contains(place.back())) {
                lacking.at(place.parent_pointer()).erase(place.back());
                EXPECT_THAT(refusal(lacking), HasSubstr("the key `" + place.back() + "` is missing"));
            }
            if (whole.at(place).is_object() && !have_any_key.contains(place.back())) {
                longer.at(place)["other"] = 1;
                EXPECT_THAT(refusal(longer), HasSubstr("unknown key `other`")) << place;
            }
        }
    }
}

TEST(Requests, OutOfTheirRangesAreRefusedWithThePlace) {
    struct Wrong {
        std::size_t request;
        const char* place;
        json value;
        const char* message;
    };
    const Wrong all[] = {
        {0, "/slot", -1, "slot: expected an integer from 0 to 2147483647, found -1"},
        {0, "/slot", 1.5, "slot: expected an integer, found the number 1.5"},
        {0, "/call/launches/0/args/0/kind", "register", "call.launches[0].args[0].kind: unknown argument kind"},
        {0, "/call/launches/0/args/0/kind", 0, "call.launches[0].args[0].kind: expected a string"},
        {0, "/call/launches/0/args/0/index", 2, "call: there is no input 2 for the argument `p`"},
        {0, "/call/launches/0/args/4/index", -1, "call.launches[0].args[4].index: expected an integer from 0"},
        {0, "/call/launches/0/grid", {1, 1}, "call.launches[0].grid: expected three integers"},
        {0, "/call/launches/0/grid/0", 0, "call.launches[0].grid[0]: expected an integer from 1"},
        {0, "/call/launches/0/order/0", 3, "call.launches[0].order[0]: expected an integer from 0 to 2, found 3"},
        {0, "/call/inputs/0/dtype", "f33", "call.inputs[0].dtype: unknown dtype `f33`"},
        {0, "/call/inputs/0/bytes", -1, "call.inputs[0].bytes: expected an integer from 0, found the number -1"},
        {0, "/call/inputs/1/domain", "odd", "call.inputs[1].domain: unknown domain `odd`"},
        {0, "/call/inputs/1/domain", "2..1", "call.inputs[1].domain: "},
        {0, "/call/attributes/0/value", std::uint64_t{1} << 60, "call.attributes[0].value: the integer"},
        {0, "/call/attributes/0/value", "1", "call.attributes[0].value: expected a number or a boolean"},
        {0, "/artifact/language", "basic", "artifact.language: unknown language `basic`"},
        {0, "/artifact/python/judges/ties", 2, "artifact.python.judges.ties: expected an integer from -1 to 1"},
        {1, "/placement", "nowhere", "placement: unknown placement `nowhere`"},
        {1, "/alignment", 0, "alignment: expected an integer from 1 to 4096, found 0"},
        {1, "/layout/outputs/0", {1}, "layout.outputs[0]: expected an offset and a number of bytes"},
        {1, "/layout/total", 78079 - 4096 - 4096, "layout: 4096 bytes from byte 69888 on are beyond the"},
        {1, "/layout/inputs/0/0", std::numeric_limits<std::uint64_t>::max(), "layout: 32768 bytes from byte 1844"},
        {2, "/sets", 0, "sets: expected an integer from 1 to 2147483647, found 0"},
        {3, "/patches/0/unit", 64, "patches[0].unit: expected an integer from 0 to 63, found 64"},
        {3, "/patches/0/bytes", 1e3, "patches[0].bytes: expected an integer from 0, found the number 1000.0"},
        {4, "/turns/1/1", -2, "turns[1][1]: expected an integer from -1 to 2147483647, found -2"},
        {4, "/turns/0", 1, "turns[0]: expected an array, found the number 1"},
        {4, "/states", "0123456789abcdeg", "states: expected numbers of 16 hexadecimal digits each"},
        {4, "/states", "0", "states: expected numbers of 16 hexadecimal digits each"},
        {4, "/poison", 256, "poison: expected an integer from 0 to 255, found 256"},
        {4, "/capture/set", -1, "capture.set: expected an integer from 0 to 2147483647, found -1"},
        {5, "/slot", "0", "slot: expected an integer, found the string `0`"},
    };
    const std::vector<Request> requests = all_requests();
    for (const Wrong& each : all) {
        json request = json_of(requests[each.request]);
        request[Pointer(each.place)] = each.value;
        EXPECT_THAT(refusal(request), HasSubstr(each.message)) << each.place << " = " << each.value;
    }
}

TEST(Requests, ThatAreNoneAreRefused) {
    const std::pair<std::string, const char*> lines[] = {
        {"", "no JSON"},
        {"load", "no JSON"},
        {R"({"op":"clear")", "no JSON"},
        {"[]", "expected an object, found an array"},
        {"{}", "the key `op` is missing"},
        {R"({"op":7})", "op: expected a string, found the number 7"},
        {R"({"op":"clear","slot":1})", "slot: unknown key `slot`"},
        {R"({"op":"fly"})", "there is no request `fly`"},
        {std::string(100'000, '['), "no JSON"},
    };
    for (const auto& [line, message] : lines) {
        const Result<Request> read = read_request(line);
        ASSERT_FALSE(read) << line;
        EXPECT_THAT(read.error().message, HasSubstr(message));
    }
}

}  // namespace
}  // namespace kernelgen
