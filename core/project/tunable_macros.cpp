// SPDX-License-Identifier: Apache-2.0
#include "core/project/tunable_macros.h"

#include <algorithm>
#include <regex>
#include <set>

#include "core/base/text.h"
#include "core/project/cpp_text.h"

namespace kernelgen {

namespace {

/// Whether a build compiles the lines of a branch.
enum class Compiled { never, perhaps, always };

Compiled negated(Compiled condition) {
    if (condition == Compiled::perhaps) return condition;
    return condition == Compiled::never ? Compiled::always : Compiled::never;
}

using Macros = std::set<std::string, std::less<>>;

/// Whether `defined(NAME)`, `!defined NAME`, `0` or `1` holds; of other conditions that is not known.
Compiled holds(std::string_view condition, const Macros& defined) {
    condition = trim(condition);
    if (condition == "0") return Compiled::never;
    if (condition == "1") return Compiled::always;
    if (condition.starts_with('!')) return negated(holds(condition.substr(1), defined));
    static const std::regex of_a_name(R"(defined\s*\(?\s*([A-Za-z_]\w*)\s*\)?)");
    std::match_results<std::string_view::const_iterator> match;
    const bool is_of_a_name =
        condition.size() < 1000 && std::regex_match(condition.begin(), condition.end(), match, of_a_name);
    return is_of_a_name && defined.contains(match[1].str()) ? Compiled::always : Compiled::perhaps;
}

/// The same of conditions that are joined by `&&`.
Compiled all_hold(std::string_view conditions, const Macros& defined) {
    if (conditions.contains("||") || conditions.contains('?')) return Compiled::perhaps;
    Compiled all = Compiled::always;
    while (!conditions.empty()) {
        const std::size_t end = conditions.find("&&");
        all = std::min(all, holds(conditions.substr(0, end), defined));
        conditions = end == std::string_view::npos ? "" : conditions.substr(end + 2);
    }
    return all;
}

/// Whether a line defines a tunable as what it is anyway.
bool is_its_only_value(const Tunable& tunable, const std::string& line) {
    const std::string_view value = trim(std::string_view(line).substr(line.find(tunable.name) + tunable.name.size()));
    return tunable.values.size() == 1 && value == std::to_string(tunable.values.front());
}

/// The branches of the preprocessor's conditions within each other.
class Branches {
public:
    Compiled now() const {
        Compiled all = Compiled::always;
        for (const Branch& each : open_) all = std::min(all, each.is_compiled);
        return all;
    }

    /// `guard` is the name of an `#ifndef`.
    void begin(Compiled condition, const std::string& guard = "") {
        open_.push_back({condition, negated(condition), guard});
    }
    /// What `#ifndef NAME` guards is compiled the first time, where it defines NAME.
    void define(const std::string& name) {
        if (!open_.empty() && open_.back().guard == name && open_.back().is_compiled == Compiled::perhaps)
            open_.back().is_compiled = Compiled::always;
    }
    void go_on(Compiled condition) {
        if (open_.empty()) return;
        Branch& last = open_.back();
        last.is_compiled = std::min(last.is_left, condition);
        last.is_left = std::min(last.is_left, negated(condition));
    }
    void end() {
        if (!open_.empty()) open_.pop_back();
    }

private:
    struct Branch {
        Compiled is_compiled;
        Compiled is_left;  ///< whether a branch that follows may be compiled
        std::string guard;
    };
    std::vector<Branch> open_;
};

/// Follows the directives of one source.
class MacroReader {
public:
    MacroReader(const Variant& variant, const std::string& file, OverriddenTunables& found)
        : variant_(variant), file_(file), found_(found) {
        for (const Tunable& each : variant.tunables) defined_.insert(each.name);
        for (const std::string& flag : variant.flags)
            if (flag.starts_with("-D")) defined_.insert(flag.substr(2, flag.find('=') - 2));
    }

    void read(const std::string& text) {
        static const std::regex directive(
            R"(^\s*#\s*(ifdef|ifndef|if|elif|else|endif|define|undef)\b\s*([A-Za-z_]\w*)?.*)");
        int number = 0;
        for (const std::string& line : split(without_comments(text, 0, text.size()), '\n')) {
            ++number;
            std::smatch match;
            if (line.size() > 10'000 || !std::regex_match(line, match, directive)) continue;
            const std::string_view rest =
                std::string_view(line).substr(static_cast<std::size_t>(match.position(1) + match.length(1)));
            read_directive(match[1], match[2], rest, line, number);
        }
    }

private:
    void read_directive(const std::string& word, const std::string& name, std::string_view rest,
                        const std::string& line, int number) {
        const Compiled is_defined = defined_.contains(name) ? Compiled::always : Compiled::perhaps;
        if (word == "ifdef") branches_.begin(is_defined);
        else if (word == "ifndef") branches_.begin(negated(is_defined), name);
        else if (word == "if") branches_.begin(all_hold(rest, defined_));
        else if (word == "elif") branches_.go_on(all_hold(rest, defined_));
        else if (word == "else") branches_.go_on(Compiled::always);
        else if (word == "endif") branches_.end();
        else define(word, name, line, number);
    }

    void define(const std::string& word, const std::string& name, const std::string& line, int number) {
        if (word == "define") branches_.define(name);
        const Compiled is_compiled = branches_.now();
        if (is_compiled == Compiled::never) return;
        const auto tunable = std::ranges::find(variant_.tunables, name, &Tunable::name);
        if (tunable != variant_.tunables.end()) {
            if (!is_its_only_value(*tunable, line)) tell(is_compiled == Compiled::always, name, line, number);
            return;
        }
        if (is_compiled == Compiled::always && word == "define") defined_.insert(name);
        if (word == "undef") defined_.erase(name);
    }

    void tell(bool is_always, const std::string& name, const std::string& line, int number) {
        const Said suggestion = say("leave the line out, or put it between `#ifndef {}` and `#endif`", name);
        if (is_always)
            return found_.always.push_back(
                {file_, say("line {}", number),
                 say("`{}` overrides the tunable `{}`, whose value the compiler is given as a macro", trim(line), name),
                 suggestion});
        found_.perhaps.push_back(
            {file_, say("line {}", number),
             say("`{}` overrides the tunable `{}` where the condition around it holds: there it has no effect",
                 trim(line), name),
             suggestion});
    }

    const Variant& variant_;
    const std::string& file_;
    OverriddenTunables& found_;
    Macros defined_;
    Branches branches_;
};

}  // namespace

OverriddenTunables overridden_tunables(const Implementation& implementation) {
    const Variant& variant = implementation.variant;
    OverriddenTunables found;
    if (!tunables_are_macros(variant.language)) return found;
    MacroReader(variant, variant.source, found).read(implementation.text);
    for (const auto& [file, text] : implementation.files) MacroReader(variant, file, found).read(text);
    return found;
}

}  // namespace kernelgen
