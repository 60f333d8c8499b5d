// SPDX-License-Identifier: Apache-2.0
#include "core/trace/parser.h"

#include <algorithm>
#include <format>
#include <utility>

#include "core/base/json_reader.h"

namespace kernelgen {

namespace {

using Kind = CodeNode::Kind;

constexpr int deepest_code = 200;
constexpr std::string_view qualifiers[] = {"const",      "volatile",   "static",   "constexpr",        "inline",
                                           "extern",     "register",   "typename", "struct",           "unsigned",
                                           "signed",     "long",       "short",    "__shared__",       "__restrict__",
                                           "__restrict", "__device__", "alignas",  "__grid_constant__"};
constexpr std::string_view number_types[] = {"void", "bool", "char",  "int",    "float",  "double",
                                             "half", "auto", "DTYPE", "size_t", "__half", "__nv_bfloat16"};

struct BinaryOperator {
    std::string_view text;
    int binding;
};
constexpr BinaryOperator binary_operators[] = {{"||", 1}, {"&&", 2}, {"|", 3}, {"^", 4},  {"&", 5},  {"==", 6},
                                               {"!=", 6}, {"<", 7},  {">", 7}, {"<=", 7}, {">=", 7}, {"<<", 8},
                                               {">>", 8}, {"+", 9},  {"-", 9}, {"*", 10}, {"/", 10}, {"%", 10}};
constexpr std::string_view assignments[] = {"=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^="};
constexpr std::string_view unaries[] = {"-", "+", "!", "~", "*", "&", "++", "--"};

bool is_vector_type(std::string_view name) {
    constexpr std::string_view bases[] = {"float", "int",   "uint",   "double",  "char",
                                          "uchar", "short", "ushort", "longlong"};
    if (name.empty() || name.back() < '1' || name.back() > '4') return false;
    return std::ranges::contains(bases, name.substr(0, name.size() - 1));
}

/// Whether a name is a type wherever it stands.
bool is_type_name(std::string_view name) {
    return std::ranges::contains(number_types, name) || std::ranges::contains(qualifiers, name) ||
           name.ends_with("_t") || is_vector_type(name);
}

}  // namespace

bool CodeParser::take(std::string_view symbol) {
    if (!now().is(symbol)) return false;
    ++at_;
    return true;
}

bool CodeParser::take_name(std::string_view name) {
    if (now().kind != CodeToken::Kind::name || now().text != name) return false;
    ++at_;
    return true;
}

void CodeParser::expect(std::string_view symbol) {
    if (!take(symbol)) fail_here();
}

void CodeParser::fail_here() const {
    throw UnreadableCode{say("line {}: {} is not expected here", now().line, in_backquotes(now().text))};
}

CodePointer CodeParser::node(Kind kind, std::string text) const {
    auto made = std::make_unique<CodeNode>();
    made->kind = kind;
    made->text = std::move(text);
    made->line = now().line;
    made->place = static_cast<int>(at_);
    return made;
}

void CodeParser::deeper() {
    if (++depth_ > deepest_code) fail_here();
}

/// "<float, 4>" where that is what stands here: nothing in it but names, numbers and arithmetic.
bool CodeParser::type_arguments() {
    const std::size_t before = at_;
    if (!take("<")) return false;
    constexpr std::string_view inside[] = {"::", ",", "*", "&", "(", ")", "+", "-", "/", "==", "..."};
    for (int open = 1; open > 0;) {
        if (take("<")) ++open;
        else if (take(">")) --open;
        else if (now().is(">>") && open >= 2) open -= 2, ++at_;
        else if (now().kind == CodeToken::Kind::name || now().kind == CodeToken::Kind::number ||
                 (now().kind == CodeToken::Kind::symbol && std::ranges::contains(inside, now().text)))
            ++at_;
        else {
            at_ = before;
            return false;
        }
    }
    return true;
}

/// Reads one qualifier; `known` is set where it is a type by itself, such as `unsigned`.
bool CodeParser::qualifier(CodeType& type, bool& known) {
    if (now().kind != CodeToken::Kind::name || !std::ranges::contains(qualifiers, now().text)) return false;
    const std::string& text = now().text;
    if (text == "__shared__") type.is_shared = true;
    if (text == "long" || text == "short" || text == "unsigned" || text == "signed") {
        if (text == "long" || text == "short" || type.base.empty()) type.base = text == "signed" ? "unsigned" : text;
        known = true;
    }
    ++at_;
    if (text == "alignas" && take("(")) {
        while (!take(")") && now().kind != CodeToken::Kind::end) ++at_;
    }
    if (text == "extern" && now().kind == CodeToken::Kind::text) ++at_;
    return true;
}

std::optional<CodeType> CodeParser::type() {
    const std::size_t before = at_;
    CodeType type;
    bool known = false;
    while (qualifier(type, known)) {
    }
    if (now().kind == CodeToken::Kind::name && (!known || is_type_name(now().text)) &&
        !(known && now().text != "int" && now().text != "char" && now().text != "double")) {
        if (!known || now().text == "char" || now().text == "double") type.base = now().text;
        ++at_;
        type_arguments();
        while (now().is("::") && ahead(1).kind == CodeToken::Kind::name) {
            type.base += "::" + ahead(1).text;
            at_ += 2;
            type_arguments();
        }
        known = true;
    }
    if (!known) {
        at_ = before;
        return std::nullopt;
    }
    for (;;) {
        if (take("*")) ++type.pointers;
        else if (!take("&") && !take("&&") && !qualifier(type, known)) break;
    }
    return type;
}

CodePointer CodeParser::declared(CodeType type) {
    while (take("*")) ++type.pointers;
    while (take("&") || take_name("const") || take_name("__restrict__")) {
    }
    CodePointer made = node(Kind::declare, now().text);
    if (now().kind != CodeToken::Kind::name) fail_here();
    ++at_;
    std::vector<CodePointer> dimensions;
    while (take("[")) {
        dimensions.push_back(now().is("]") ? node(Kind::empty) : expression());
        expect("]");
    }
    if (take("=")) made->parts.push_back(assignment());
    else if (take("(")) made->parts.push_back(list(")"));
    else if (now().is("{")) made->parts.push_back(primary());
    made->has_value = !made->parts.empty();
    std::ranges::move(dimensions, std::back_inserter(made->parts));
    made->type = std::move(type);
    return made;
}

CodePointer CodeParser::declaration() {
    const std::size_t before = at_;
    std::optional<CodeType> read = type();
    constexpr std::string_view after_name[] = {"=", ";", "[", "(", "{", ","};
    const bool declares = read && now().kind == CodeToken::Kind::name && ahead(1).kind == CodeToken::Kind::symbol &&
                          std::ranges::contains(after_name, ahead(1).text);
    if (!declares) {
        at_ = before;
        return nullptr;
    }
    CodeType first = *read, following = *read;
    following.pointers = 0;
    CodePointer all = node(Kind::block, "declarations");
    all->parts.push_back(declared(first));
    while (take(",")) all->parts.push_back(declared(following));
    expect(";");
    return all;
}

std::vector<CodeParameter> CodeParser::parameters() {
    std::vector<CodeParameter> list;
    while (!take(")")) {
        std::optional<CodeType> read = type();
        if (!read) fail_here();
        CodeParameter parameter{.name = {}, .type = std::move(*read)};
        if (now().kind == CodeToken::Kind::name) parameter.name = now().text, ++at_;
        if (take("[")) {
            while (!take("]") && now().kind != CodeToken::Kind::end) ++at_;
            ++parameter.type.pointers;
        }
        if (take("=")) assignment();
        list.push_back(std::move(parameter));
        if (!take(",") && !now().is(")")) fail_here();
    }
    return list;
}

CodePointer CodeParser::block() {
    deeper();
    CodePointer made = node(Kind::block);
    expect("{");
    while (!take("}")) made->parts.push_back(statement());
    --depth_;
    return made;
}

CodePointer CodeParser::statement() {
    deeper();
    while (now().is("[") && ahead(1).is("[")) {  // an attribute
        while (!take("]") && now().kind != CodeToken::Kind::end) ++at_;
        expect("]");
    }
    CodePointer made = keyword_statement();
    if (!made) made = declaration();
    if (!made) {
        made = node(Kind::expression);
        made->parts.push_back(expression());
        expect(";");
    }
    --depth_;
    return made;
}

CodePointer CodeParser::keyword_statement() {
    if (now().is("{")) return block();
    if (take(";")) return node(Kind::empty);
    if (now().kind != CodeToken::Kind::name) return nullptr;
    const CodeToken word = now();
    if (word.text == "if") return when();
    if (word.text == "for") return for_loop();
    if (word.text == "while" || word.text == "do") return while_loop();
    if (word.text == "using" || word.text == "typedef" || word.text == "static_assert" || word.text == "asm") {
        while (!take(";")) {
            if (now().kind == CodeToken::Kind::end) fail_here();
            ++at_;
        }
        return node(Kind::empty);
    }
    const Kind kind = word.text == "return" ? Kind::give : word.text == "break" ? Kind::leave : Kind::next;
    if (kind == Kind::next && word.text != "continue") return nullptr;
    CodePointer made = node(kind);
    ++at_;
    if (kind == Kind::give && !now().is(";")) made->parts.push_back(expression());
    expect(";");
    return made;
}

CodePointer CodeParser::when() {
    CodePointer made = node(Kind::when);
    ++at_;
    take_name("constexpr");
    expect("(");
    made->parts.push_back(expression());
    expect(")");
    made->parts.push_back(statement());
    made->parts.push_back(take_name("else") ? statement() : node(Kind::empty));
    return made;
}

CodePointer CodeParser::for_loop() {
    CodePointer made = node(Kind::loop);
    ++at_;
    expect("(");
    CodePointer first = declaration();
    if (!first && !take(";")) {
        first = expression();
        expect(";");
    }
    made->parts.push_back(first ? std::move(first) : node(Kind::empty));
    made->parts.push_back(now().is(";") ? node(Kind::empty) : expression());
    expect(";");
    made->parts.push_back(now().is(")") ? node(Kind::empty) : expression());
    expect(")");
    made->parts.push_back(statement());
    return made;
}

CodePointer CodeParser::while_loop() {
    const bool body_first = now().text == "do";
    CodePointer made = node(body_first ? Kind::do_loop : Kind::loop);
    ++at_;
    CodePointer body = body_first ? statement() : nullptr;
    if (body_first && !take_name("while")) fail_here();
    expect("(");
    CodePointer condition = expression();
    expect(")");
    if (body_first) expect(";");
    else body = statement();
    made->parts.push_back(node(Kind::empty));
    made->parts.push_back(std::move(condition));
    made->parts.push_back(node(Kind::empty));
    made->parts.push_back(std::move(body));
    return made;
}

CodePointer CodeParser::comma() {
    CodePointer first = assignment();
    while (now().is(",")) {
        CodePointer both = node(Kind::binary, ",");
        ++at_;
        both->parts.push_back(std::move(first));
        both->parts.push_back(assignment());
        first = std::move(both);
    }
    return first;
}

CodePointer CodeParser::assignment() {
    deeper();
    CodePointer target = conditional();
    if (now().kind == CodeToken::Kind::symbol && std::ranges::contains(assignments, now().text)) {
        CodePointer made = node(Kind::assign, now().text);
        ++at_;
        made->parts.push_back(std::move(target));
        made->parts.push_back(assignment());
        target = std::move(made);
    }
    --depth_;
    return target;
}

CodePointer CodeParser::conditional() {
    CodePointer condition = binary(1);
    if (!now().is("?")) return condition;
    CodePointer made = node(Kind::conditional);
    ++at_;
    made->parts.push_back(std::move(condition));
    made->parts.push_back(assignment());
    expect(":");
    made->parts.push_back(assignment());
    return made;
}

CodePointer CodeParser::binary(int least) {
    CodePointer left = unary();
    for (;;) {
        const auto found = std::ranges::find(binary_operators, std::string_view(now().text), &BinaryOperator::text);
        if (now().kind != CodeToken::Kind::symbol || found == std::end(binary_operators) || found->binding < least)
            return left;
        CodePointer made = node(Kind::binary, now().text);
        ++at_;
        made->parts.push_back(std::move(left));
        made->parts.push_back(binary(found->binding + 1));
        left = std::move(made);
    }
}

CodePointer CodeParser::unary() {
    deeper();
    CodePointer made;
    if (now().kind == CodeToken::Kind::symbol && std::ranges::contains(unaries, now().text)) {
        made = node(Kind::unary, now().text);
        ++at_;
        made->parts.push_back(unary());
    } else {
        made = cast();
        if (!made) made = postfix();
    }
    --depth_;
    return made;
}

/// "(float)x", where a known type or a pointer is in the parentheses.
CodePointer CodeParser::cast() {
    if (!now().is("(") || ahead(1).kind != CodeToken::Kind::name) return nullptr;
    const std::size_t before = at_;
    const bool known = is_type_name(ahead(1).text);
    CodePointer made = node(Kind::cast);
    ++at_;
    const std::optional<CodeType> read = type();
    if (!read || !take(")") || (!known && read->pointers == 0) || now().is(";") || now().is(")")) {
        at_ = before;
        return nullptr;
    }
    made->type = *read;
    made->parts.push_back(unary());
    return made;
}

CodePointer CodeParser::postfix() {
    CodePointer value = primary();
    for (;;) {
        CodePointer made;
        if (now().is("[")) {
            made = node(Kind::index);
            ++at_;
            made->parts.push_back(std::move(value));
            made->parts.push_back(expression());
            expect("]");
        } else if (now().is(".") || now().is("->")) {
            if (ahead(1).kind != CodeToken::Kind::name) fail_here();
            made = node(Kind::member, ahead(1).text);
            at_ += 2;
            type_arguments();
            made->parts.push_back(std::move(value));
        } else if (now().is("++") || now().is("--")) {
            made = node(Kind::postfix, now().text);
            ++at_;
            made->parts.push_back(std::move(value));
        } else if (now().is("(")) {
            made = node(Kind::call, value->kind == Kind::member ? value->text : "");
            ++at_;
            made->parts.push_back(std::move(value));  // the object of a method, or what is called
            arguments(*made);
            made->has_value = true;
        } else {
            return value;
        }
        value = std::move(made);
    }
}

void CodeParser::arguments(CodeNode& call) {
    while (!take(")")) {
        call.parts.push_back(assignment());
        if (!take(",") && !now().is(")")) fail_here();
    }
}

CodePointer CodeParser::list(std::string_view end) {
    CodePointer made = node(Kind::list);
    while (!take(end)) {
        made->parts.push_back(assignment());
        if (!take(",") && !now().is(end)) fail_here();
    }
    return made;
}

CodePointer CodeParser::primary() {
    if (now().kind == CodeToken::Kind::number || now().kind == CodeToken::Kind::text) {
        CodePointer made = node(now().kind == CodeToken::Kind::number ? Kind::number : Kind::text, now().text);
        ++at_;
        return made;
    }
    if (take("(")) {
        CodePointer inside = expression();
        expect(")");
        return inside;
    }
    if (take("{")) return list("}");
    if (now().is("[")) return lambda();
    if (now().kind != CodeToken::Kind::name) fail_here();
    return named();
}

/// A name with its qualification and template arguments, and its call: "kg::load_one<T>(p)", "int64_t(x)".
CodePointer CodeParser::named() {
    CodePointer made = node(Kind::name, now().text);
    const std::size_t first = at_++;
    CodeType target;
    const auto arguments_of_template = [&] {
        if (!now().is("<")) return false;
        const std::size_t before = at_;
        if (made->text.ends_with("_cast")) {
            ++at_;
            if (const auto read = type(); read && take(">")) {
                target = *read;
                return true;
            }
            at_ = before;
        }
        // What follows cannot begin an operand: these were no comparisons. "f<T>(x)", "infinity<T>;", "g(zero<T>, x)"
        constexpr std::string_view ends[] = {"(", "::", "{", ";", ")", ",", "]", "}"};
        if (type_arguments() && now().kind == CodeToken::Kind::symbol && std::ranges::contains(ends, now().text))
            return true;
        at_ = before;
        return false;
    };
    arguments_of_template();
    while (now().is("::") && ahead(1).kind == CodeToken::Kind::name) {
        made->text += "::" + ahead(1).text;
        at_ += 2;
        arguments_of_template();
    }
    if (is_type_name(tokens_[first].text)) {  // "int64_t(x)"
        const std::size_t after_name = std::exchange(at_, first);
        if (const auto read = type(); read && now().is("(")) target = *read;
        else at_ = after_name;
    }
    if (!take("(")) return made;
    made->kind = target.base.empty() ? Kind::call : Kind::cast;
    made->type = target;
    arguments(*made);
    if (made->kind == Kind::cast && made->parts.size() != 1) fail_here();
    return made;
}

CodePointer CodeParser::lambda() {
    CodePointer made = node(Kind::lambda);
    while (!take("]")) {
        if (now().kind == CodeToken::Kind::end) fail_here();
        ++at_;
    }
    if (take("(")) parameters();
    while (!now().is("{")) {
        if (now().kind == CodeToken::Kind::end || now().is(";")) fail_here();
        ++at_;
    }
    made->parts.push_back(block());
    return made;
}

}  // namespace kernelgen
