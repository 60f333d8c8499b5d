// SPDX-License-Identifier: Apache-2.0
#include "core/backend/executor_replies.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <format>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "core/backend/executor_protocol.h"
#include "core/backend/packed_numbers.h"
#include "core/base/json_reader.h"
#include "core/said/said.h"
#include "core/said/told.h"

namespace kernelgen {

using nlohmann::json;

namespace {

constexpr double longest_seconds = 24 * 3600;
constexpr std::int64_t most_grown_bytes = std::int64_t{1} << 50;
constexpr std::int64_t most_discarded = 1'000'000;
constexpr std::int64_t largest_number = std::numeric_limits<std::int32_t>::max();
constexpr std::size_t longest_reason = 1u << 20;
constexpr std::size_t most_entries = 10'000;  ///< of a list or an object, but for times

/// The statuses of all that can happen in an executor; outputs are judged elsewhere.
constexpr std::array executor_statuses = {Status::ok,           Status::unavailable, Status::build_failed,
                                          Status::over_limit,   Status::crashed,     Status::out_of_bounds,
                                          Status::launch_failed};

std::unexpected<Error> wrong(SaidFormat<std::string_view> what, std::string_view key) { return fail(say(what, key)); }

/// The member, or null where it is not there.
const json& member(const json& object, const char* key) {
    static const json nothing;
    const auto found = object.find(key);
    return found == object.end() ? nothing : *found;
}

Result<json> read_object(std::string_view line) {
    Validated<json> parsed = parse_json(line, "reply");
    if (!parsed || !parsed->is_object()) return fail("no JSON object");
    return std::move(*parsed);
}

/// Each of these takes a member that may be left out, which gives the second value.
Result<std::string> read_text(const json& object, const char* key, std::string otherwise, std::size_t longest) {
    const json& value = member(object, key);
    if (value.is_null()) return otherwise;
    if (!value.is_string()) return wrong("`{}` is no text", key);
    if (value.get_ref<const std::string&>().size() > longest) return wrong("`{}` is too long", key);
    return value.get<std::string>();
}

Result<bool> read_flag(const json& object, const char* key) {
    const json& value = member(object, key);
    if (!value.is_null() && !value.is_boolean()) return wrong("`{}` is neither true nor false", key);
    return value.is_boolean() && value.get<bool>();
}

Result<std::int64_t> read_integer(const json& object, const char* key, std::int64_t least, std::int64_t most) {
    const json& value = member(object, key);
    const bool fits = value.is_number_integer() &&
                      (!value.is_number_unsigned() || value.get<std::uint64_t>() <= std::uint64_t{INT64_MAX}) &&
                      value.get<std::int64_t>() >= least && value.get<std::int64_t>() <= most;
    if (!fits) return fail(say("`{}` is no integer from {} to {}", key, least, most));
    return value.get<std::int64_t>();
}

Result<std::int64_t> read_integer_or_0(const json& object, const char* key, std::int64_t most) {
    return member(object, key).is_null() ? Result<std::int64_t>(0) : read_integer(object, key, 0, most);
}

Result<double> read_seconds(const json& value, const char* key) {
    const double seconds = value.is_number() ? value.get<double>() : -1;
    if (!(seconds >= 0 && seconds < longest_seconds)) return wrong("`{}` has what is no time", key);
    return seconds;
}

Result<std::vector<double>> read_times(const json& list, std::size_t count) {
    if (!list.is_array() || list.size() != count) return fail(say("`{}` has not {} times", "seconds", count));
    std::vector<double> times;
    for (const json& each : list) {
        const Result<double> seconds = read_seconds(each, "seconds");
        if (!seconds || *seconds == 0) return wrong("`{}` has what is no time", "seconds");
        times.push_back(*seconds);
    }
    return times;
}

/// The sums of each side.
Result<std::vector<std::vector<std::uint64_t>>> read_checksums(const json& list, std::size_t sides) {
    if (!list.is_array() || list.size() != sides) return wrong("`{}` has not the sides", "checksums");
    std::vector<std::vector<std::uint64_t>> sums;
    for (const json& each : list) {
        const auto numbers = each.is_string() ? unpack(each.get_ref<const std::string&>()) : std::nullopt;
        if (!numbers) return wrong("`{}` has what is no checksum", "checksums");
        sums.push_back(*numbers);
    }
    return sums;
}

/// Turns in which a side takes part.
std::size_t turns_of(const SampleRequest& request, std::size_t side) {
    return static_cast<std::size_t>(std::ranges::count_if(
        request.turns, [&](const auto& turn) { return std::ranges::contains(turn, static_cast<int>(side)); }));
}

std::size_t sides_of(const SampleRequest& request) {
    int sides = 0;
    for (const auto& turn : request.turns) {
        for (const int side : turn) sides = std::max(sides, side + 1);
    }
    return static_cast<std::size_t>(sides);
}

/// Calls of a side in a turn: one on each set of buffers, which have a state each; 0 where the request has no states.
std::size_t calls_of(const SampleRequest& request) {
    std::size_t places = 0;
    for (const auto& turn : request.turns) places += turn.size();
    return places == 0 ? 0 : request.states.size() / places;
}

/// Adds times and checksums of every side to `samples`.
Result<void> read_sides(const json& fields, const SampleRequest& request, Samples& samples) {
    const json& seconds = member(fields, "seconds");
    if (!seconds.is_array() || seconds.size() < sides_of(request) || seconds.size() > most_entries)
        return wrong("`{}` has not the sides", "seconds");
    auto sums = read_checksums(member(fields, "checksums"), seconds.size());
    if (!sums) return std::unexpected(sums.error());
    std::size_t calls = calls_of(request);
    for (std::size_t side = 0; side < seconds.size(); ++side) {
        const std::size_t turns = turns_of(request, side), count = (*sums)[side].size();
        if (request.key != 0 && turns > 0 && calls == 0) calls = count / turns;
        if (request.key != 0 && turns > 0 && calls == 0) return wrong("`{}` is empty", "checksums");
        if (count != turns * calls) return fail(say("`{}` has not {} sums", "checksums", turns * calls));
        auto times = read_times(seconds[side], turns);
        if (!times) return std::unexpected(times.error());
        samples.seconds.push_back(std::move(*times));
    }
    samples.checksums = std::move(*sums);
    return {};
}

Result<std::map<std::string, double>> read_conditions(const json& object) {
    std::map<std::string, double> conditions;
    const json& given = member(object, "conditions");
    if (given.is_null()) return conditions;
    if (!given.is_object() || given.size() > most_entries) return wrong("`{}` is no object", "conditions");
    for (const auto& [name, value] : given.items()) {
        if (!value.is_number() || !std::isfinite(value.get<double>())) return wrong("`{}` has no number", "conditions");
        conditions[name] = value.get<double>();
    }
    return conditions;
}

Result<TrialKernel> read_kernel(const json& given) {
    if (!given.is_object() || given.size() > most_entries) return wrong("`{}` has what is no object", "kernels");
    TrialKernel kernel;
    for (const auto& [key, value] : given.items()) {
        if (key == "name" && value.is_string()) {
            kernel.name = value.get<std::string>();
            continue;
        }
        const std::int64_t least = key == "num_warps" ? 1 : 0;
        const Result<std::int64_t> number = read_integer(given, key.c_str(), least, largest_number);
        if (!number) return std::unexpected(number.error());
        kernel.numbers[key] = *number;
    }
    return kernel;
}

Result<CompilerMessage> read_message(const json& given) {
    if (!given.is_object()) return wrong("`{}` has what is no object", "messages");
    const auto file = read_text(given, "file", "", longest_reason), text = read_text(given, "text", "", longest_reason),
               severity = read_text(given, "severity", "error", longest_reason);
    const auto line = read_integer_or_0(given, "line", largest_number),
               column = read_integer_or_0(given, "column", largest_number);
    if (!file || !severity || !text || !line || !column) return wrong("`{}` has what is no message", "messages");
    return CompilerMessage{*file, static_cast<int>(*line), static_cast<int>(*column), *severity,
                           told(given, "text", *text)};
}

/// `read` of every element of a list that may be left out.
template <class T, class Read>
Result<std::vector<T>> read_list(const json& object, const char* key, Read read) {
    std::vector<T> all;
    const json& list = member(object, key);
    if (list.is_null()) return all;
    if (!list.is_array() || list.size() > most_entries) return wrong("`{}` is no list", key);
    for (const json& each : list) {
        Result<T> element = read(each);
        if (!element) return std::unexpected(element.error());
        all.push_back(std::move(*element));
    }
    return all;
}

/// The part that all replies have.
Result<Reply> read_common(const json& object) {
    const Result<std::string> name = read_text(object, "status", "", 100);
    if (!name) return std::unexpected(name.error());
    const std::optional<Status> status = parse_status(*name);
    if (!status || !std::ranges::contains(executor_statuses, *status))
        return wrong("`{}` is none of an executor", "status");
    Result<std::string> reason = read_text(object, "reason", "", longest_reason);
    if (!reason) return std::unexpected(reason.error());
    const Result<bool> ends = read_flag(object, "ends"), misaligned = read_flag(object, "misaligned");
    if (!ends) return std::unexpected(ends.error());
    if (!misaligned) return std::unexpected(misaligned.error());
    return Reply{
        .outcome = {*status, told(object, "reason", std::move(*reason))}, .ends = *ends, .misaligned = *misaligned};
}

Result<Samples> read_samples(const json& fields, const SampleRequest& request) {
    Samples samples;
    if (const Result<void> sides = read_sides(fields, request, samples); !sides) return std::unexpected(sides.error());
    const Result<double> outside = read_seconds(member(fields, "outside_seconds"), "outside_seconds");
    if (!outside) return std::unexpected(outside.error());
    const Result<double> idle = read_seconds(fields.value("idle_seconds", json(0)), "idle_seconds");
    if (!idle) return std::unexpected(idle.error());
    const auto grown = read_integer(fields, "grown_bytes", -most_grown_bytes, most_grown_bytes);
    if (!grown) return std::unexpected(grown.error());
    const auto discarded = read_integer_or_0(fields, "discarded", most_discarded);
    if (!discarded) return std::unexpected(discarded.error());
    auto conditions = read_conditions(fields);
    if (!conditions) return std::unexpected(conditions.error());
    samples.outside_seconds = *outside;
    samples.idle_seconds = *idle;
    samples.grown_bytes = *grown;
    samples.discarded = static_cast<int>(*discarded);
    samples.conditions = std::move(*conditions);
    return samples;
}

Result<double> read_hit_rate(const json& fields) {
    const json& value = member(fields, "hit_rate");
    const double rate = value.is_number() ? value.get<double>() : -1;
    if (!(rate >= 0 && rate <= 1)) return wrong("`{}` is no number from 0 to 1", "hit_rate");
    return rate;
}

/// Moves what was read into its place in a reply.
template <class T>
Result<void> put(Result<T> read, std::optional<T>& place) {
    if (!read) return std::unexpected(read.error());
    place = std::move(*read);
    return {};
}

/// Each of these reads the part of a reply that its request asks for.
Result<void> read_answer(const json& fields, const SampleRequest& request, Reply& reply) {
    return reply.outcome.ok() ? put(read_samples(fields, request), reply.samples) : Result<void>();
}

Result<void> read_answer(const json& fields, const CountRequest&, Reply& reply) {
    return reply.outcome.ok() ? put(read_hit_rate(fields), reply.hit_rate) : Result<void>();
}

Result<void> read_answer(const json& fields, const LoadRequest& request, Reply& reply) {
    return request.trial ? put(read_trial(fields), reply.trial) : Result<void>();
}

template <class Other>
Result<void> read_answer(const json&, const Other&, Reply&) {
    return {};
}

/// Each of these adds a part to a reply's JSON.
void add(json& object, const Samples& samples) {
    json& checksums = object["checksums"] = json::array();
    for (const std::vector<std::uint64_t>& side : samples.checksums) checksums.push_back(pack(side));
    object["seconds"] = samples.seconds;
    object["outside_seconds"] = samples.outside_seconds;
    object["idle_seconds"] = samples.idle_seconds;
    object["grown_bytes"] = samples.grown_bytes;
    object["discarded"] = samples.discarded;
    object["conditions"] = samples.conditions;
}

void add(json& object, const TrialReport& trial) {
    json& kernels = object["kernels"] = json::array();
    for (const TrialKernel& kernel : trial.kernels) {
        json& told = kernels.emplace_back(kernel.numbers);
        told["name"] = kernel.name;
    }
    object["texts"] = trial.texts;
    json& messages = object["messages"] = json::array();
    for (const CompilerMessage& message : trial.messages) messages.push_back(to_json(message));
}

std::string dumped(const json& object) { return object.dump(-1, ' ', false, json::error_handler_t::replace); }

}  // namespace

std::string greeting_line(std::string_view executor) {
    return dumped({{"event", "hello"}, {"protocol", executor_protocol_version}, {"executor", executor}});
}

Result<std::string> read_greeting(std::string_view line) {
    const Result<json> object = read_object(line);
    if (!object || member(*object, "event") != "hello") return fail("it greeted with something else");
    const Result<std::int64_t> protocol = read_integer(*object, "protocol", 0, largest_number);
    if (!protocol || *protocol != executor_protocol_version)
        return fail(other_protocol("it", protocol ? std::to_string(*protocol) : "unknown"));
    return read_text(*object, "executor", "", 100);
}

std::string to_line(const Reply& reply) {
    json object = {{"status", to_string(reply.outcome.status)}};
    put_said(object, "reason", reply.outcome.reason);
    if (reply.ends) object["ends"] = true;
    if (reply.misaligned) object["misaligned"] = true;
    if (reply.samples) add(object, *reply.samples);
    if (reply.hit_rate) object["hit_rate"] = *reply.hit_rate;
    if (reply.trial) add(object, *reply.trial);
    return dumped(object);
}

Result<Reply> read_reply(std::string_view line, const Request& request) {
    const Result<json> object = read_object(line);
    if (!object) return std::unexpected(object.error());
    Result<Reply> reply = read_common(*object);
    if (!reply) return reply;
    const Result<void> answer =
        std::visit([&](const auto& asked) { return read_answer(*object, asked, *reply); }, request);
    if (!answer) return std::unexpected(answer.error());
    return reply;
}

Result<TrialReport> read_trial(const json& fields) {
    auto kernels = read_list<TrialKernel>(fields, "kernels", read_kernel);
    if (!kernels) return std::unexpected(kernels.error());
    auto messages = read_list<CompilerMessage>(fields, "messages", read_message);
    if (!messages) return std::unexpected(messages.error());
    TrialReport trial{std::move(*kernels), {}, std::move(*messages)};
    const json& texts = member(fields, "texts");
    if (texts.is_null()) return trial;
    if (!texts.is_object() || texts.size() > most_entries) return wrong("`{}` is no object", "texts");
    for (const auto& [name, text] : texts.items()) {
        if (!text.is_string()) return wrong("`{}` has what is no text", "texts");
        trial.texts[name] = text.get<std::string>();
    }
    return trial;
}

}  // namespace kernelgen
