// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/base/json_reader.h"
#include "core/mcp/value_schema.h"
#include "core/project/schema.h"

namespace kernelgen::mcp {

/// How one member of an object is read.
struct MemberReader {
    std::function<void(const JsonPlace&)> take;
};
inline void read(const JsonPlace& place, const MemberReader& reader) { reader.take(place); }

/// The parameters of a tool. Each is declared once, and both the schema that clients get and the reading of arguments
/// follow from it. `T` is the struct that holds the values; members that are not given keep their defaults.
template <class T>
class Parameters {
public:
    template <class Value, class Owner>
    Parameters& required(std::string name, Value Owner::* member, std::string description) {
        return add(std::move(name), member, std::move(description), true);
    }
    template <class Value, class Owner>
    Parameters& optional(std::string name, Value Owner::* member, std::string description) {
        return add(std::move(name), member, std::move(description), false);
    }
    /// A text out of a closed list.
    template <class Owner>
    Parameters& choice(std::string name, std::string Owner::* member, std::vector<std::string> choices,
                       std::string description) {
        add(std::move(name), member, std::move(description), false);
        all_.back().schema["enum"] = choices;
        all_.back().read = [member, choices = std::move(choices)](const JsonPlace& place, T& target) {
            std::string chosen;
            if (!place.expect_string()) return;
            kernelgen::read(place, chosen);
            if (std::ranges::find(choices, chosen) != choices.end()) target.*member = chosen;
            else place.error("unknown choice " + in_backquotes(chosen), suggest(chosen, choices));
        };
        return *this;
    }

    /// Puts the names of the parameters that were given into this member.
    template <class Owner>
    Parameters& names_given(std::vector<std::string> Owner::* member) {
        given_ = [member](T& target) -> std::vector<std::string>& { return target.*member; };
        return *this;
    }

    nlohmann::ordered_json schema() const {
        nlohmann::ordered_json schema = {
            {"type", "object"}, {"properties", nlohmann::ordered_json::object()}, {"additionalProperties", false}};
        for (const Parameter& each : all_) {
            schema["properties"][each.name] = each.schema;
            if (each.required) schema["required"].push_back(each.name);
        }
        return schema;
    }

    /// Errors: a wrong type, a key that is missing, an unknown one with the nearest that there is.
    Validated<T> read(const nlohmann::json& arguments) const {
        Diagnostics diagnostics;
        T values;
        const JsonPlace place(arguments, diagnostics);
        JsonObject object(place);
        for (const Parameter& each : all_) {
            const MemberReader reader{[&](const JsonPlace& member) { each.read(member, values); }};
            if (each.required) object.required(each.name, reader);
            else object.optional(each.name, reader);
            if (given_ && arguments.contains(each.name)) given_(values).push_back(each.name);
        }
        object.finish();
        if (!diagnostics.empty()) return std::unexpected(std::move(diagnostics));
        return values;
    }

private:
    struct Parameter {
        std::string name;
        nlohmann::ordered_json schema;
        bool required = false;
        std::function<void(const JsonPlace&, T&)> read;
    };

    template <class Value, class Owner>
    Parameters& add(std::string name, Value Owner::* member, std::string description, bool is_required) {
        nlohmann::ordered_json schema = schema_of<Value>();
        schema["description"] = std::move(description);
        all_.push_back({std::move(name), std::move(schema), is_required, [member](const JsonPlace& place, T& target) {
                            using kernelgen::read;
                            read(place, target.*member);
                        }});
        return *this;
    }

    std::vector<Parameter> all_;
    std::function<std::vector<std::string>&(T&)> given_;
};

}  // namespace kernelgen::mcp
