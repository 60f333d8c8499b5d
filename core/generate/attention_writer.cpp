// SPDX-License-Identifier: Apache-2.0
#include "core/generate/attention_writer.h"

#include <algorithm>
#include <format>

#include "core/base/text.h"
#include "core/generate/row_index.h"
#include "core/generate/variant_parts.h"

namespace kernelgen {

namespace {

constexpr std::int64_t value_tile_columns = 128;

std::optional<std::string> why_no_tensor_cores(const Attention& attention) {
    if (attention.scale && *attention.scale <= 0) return "the scale is not above 0";
    if (attention.bias >= 0) return "logits have a bias";
    if (attention.mask >= 0) return "a mask hides columns";
    if (attention.dropout > 0) return "weights are dropped";
    return std::nullopt;
}

}  // namespace

std::optional<std::string> why_attention_is_plain(const Operator& definition, const Attention& attention) {
    if (definition.arithmetic == DType::f64) return "the arithmetic is f64";
    if (has_byte_operands(definition, attention)) {
        if (!definition.accumulate) return "the operator has no \"accumulate\": \"f22\", as exact as they add";
        const bool has_blocks = attention.query_scale.is_by_block() || attention.key_scale.is_by_block() ||
                                attention.value_scale.is_by_block();
        if (has_blocks && attention.scale_block % value_tile_columns != 0)
            return "blocks of scales are no multiples of 128 rows";
        return why_no_tensor_cores(attention);
    }
    for (const int input : {attention.queries, attention.keys, attention.values}) {
        if (definition.inputs[static_cast<std::size_t>(input)].dtype) return "operands have a dtype of their own";
    }
    return why_no_tensor_cores(attention);
}

std::string value_tiles_entry(const Operator& definition) { return definition.name + "_values"; }

std::string value_tiles_name(const Operator& definition) { return workspace_name(definition, "value_tiles"); }

bool sees_more_later(const Attention& attention) {
    return attention.last_seen().has_value() && attention.window_left < 0;
}

std::string attention_parts_name(const Operator& definition) { return workspace_name(definition, "parts"); }

std::vector<TensorMap> maps_of_attention(const Operator& definition, const Attention& attention) {
    // A box has 128 bytes of a row, the widest that the copies exchange so that banks differ.
    const bool is_bytes = has_byte_operands(definition, attention);
    const auto map = [&](int input, const std::string& rows) {
        const std::string& name = definition.inputs[static_cast<std::size_t>(input)].name;
        return TensorMap{name, {"1", rows, is_bytes ? "128" : "64"}, 128};
    };
    const std::string columns = attention.is_paged() ? "min(BLOCK_N, " + attention.block_size + ")" : "BLOCK_N";
    std::vector<TensorMap> maps = {map(attention.queries, "BLOCK_M"), map(attention.keys, columns)};
    if (!is_bytes) maps.push_back(map(attention.values, columns));
    return maps;
}

AttentionWriter::AttentionWriter(const Operator& definition, const Body& lowered, Style style)
    : KernelText(definition, lowered), style_(style) {
    for (const char* each : {"i", "j", "d", "pid0", "pid1", "row", "x", "value"}) names_.take(each);
    head_ = names_.take("head");
    kv_head_ = attention().heads == attention().kv_heads ? head_ : names_.take("kv_head");
    columns_ = attention().lengths < 0 ? of(attention().columns) : names_.take("columns");
    scale_ = names_.take("scale");
    seen_ = names_.take("seen");
    logit_ = names_.take("logit");
    product_ = names_.take("product");
    dropout_ = attention().dropout > 0 ? names_.take("dropout") : "kg::NoDropout{}";
    pages_ = names_.take("pages");
    if (!is_for_tensor_cores()) return;
    if (!has_bytes()) parts_ = names_.take(attention_parts_name(definition));
    for (const TensorMap& each : maps_of_attention(definition, attention()))
        maps_.push_back(names_.take(each.tensor + "_map"));
    if (!has_bytes()) return;
    names_.take(value_tiles_entry(definition));
    value_tiles_ = names_.take(value_tiles_name(definition));
}

std::string AttentionWriter::write() {
    write_head(explanation());
    write_include(style_ == Style::cuda ? "kernelgen.cuh" : "kernelgen.h");
    write_arithmetic(style_ == Style::cuda);
    source_.line();
    if (is_for_tensor_cores() && has_bytes()) write_value_tiles();
    open();
    if (style_ == Style::host) write_host();
    else if (style_ == Style::naive) write_naive();
    else if (is_for_tensor_cores()) write_cuda_tiles();
    else write_cuda();
    source_.close("}");
    return source_.text();
}

std::string AttentionWriter::explanation() const {
    switch (style_) {
        case Style::host:
            return "A program computes BLOCK_M rows of a head, BLOCK_N columns at a time, and never holds more scores.";
        case Style::naive:
            return "One row a program, one column after the other: what is tuned must be faster than this.";
        case Style::cuda: break;
    }
    const auto why = why_attention_is_plain(definition_, attention());
    return std::string(
               "A block computes BLOCK_M rows of a head, BLOCK_N columns at a time, and never holds more scores.") +
           (why ? " Not by tensor cores: " + *why + "." : "");
}

void AttentionWriter::open() {
    if (is_for_tensor_cores()) return open_cuda_tiles();
    if (style_ == Style::cuda) return open_kernel("__launch_bounds__(32 * num_warps) ");
    std::vector<std::string> all = parameters("* ");
    for (int axis = 0; axis < 3; ++axis)
        all.push_back(axis < (is_host() ? 2 : 1) ? "int64_t pid" + std::to_string(axis) : "int64_t");
    open_function(std::string("extern \"C\" ") + (is_host() ? "[[gnu::flatten]] " : "") + "void " + entry_, all);
}

/// The launch bounds of contractions also ask for one block a multiprocessor. Here the plain kernel would then take
/// more registers, and two of its blocks would not fit.
void AttentionWriter::open_cuda_tiles() {
    std::vector<std::string> all = parameters("* __restrict__ ");
    all.push_back(has_bytes() ? "int8_t* __restrict__ " + value_tiles_ : "float* " + parts_);
    for (const std::string& map : maps_) all.push_back("const __grid_constant__ CUtensorMap " + map);
    open_function("extern \"C\" __global__ __launch_bounds__(32 * (num_warps + COPY_WARPS)) void " + entry_, all);
}

/// The head, numbered through the batch, that of its keys, and the columns that the batch has.
void AttentionWriter::write_heads(const std::string& head) {
    source_.line("const int64_t " + head_ + " = " + head + ";");
    write_kv_head();
    write_pages();
    write_columns();
}

void AttentionWriter::write_kv_head() {
    if (kv_head_ == head_) return;
    const std::string heads = of(attention().heads), kv_heads = of(attention().kv_heads);
    source_.line("const int64_t " + kv_head_ + " = " + head_ + " / (" + heads + " / " + kv_heads +
                 ");  // heads of a group share keys");
}

void AttentionWriter::write_columns() {
    if (attention().lengths < 0) return;
    const std::string place = pointer(attention().lengths) + "[" + head_ + " / " + of(attention().heads) + "]";
    source_.line("const int64_t " + columns_ + " = " + place + " < " + of(attention().columns) + " ? " + place + " : " +
                 of(attention().columns) + ";");
}

void AttentionWriter::write_scale() {
    const std::string value = attention().scale ? std::format("T({})", *attention().scale)
                                                : "T(1 / kg::sqrt(double(" + of(attention().head_size) + ")))";
    source_.line("const T " + scale_ + " = " + value + ";");
}

/// The blocks of a paged cache.
void AttentionWriter::write_pages() {
    if (!attention().is_paged()) return;
    source_.line("const kg::Pages " + pages_ + "{" + pointer(attention().block_table) + ", " + of(attention().places) +
                 ", " + of(attention().blocks) + ", " + of(attention().kv_heads) + ", " + of(attention().block_size) +
                 "};");
}

/// Where a row of the queries, or of keys or values, begins.
std::string AttentionWriter::row_start(int input, bool is_keys, const std::string& row) const {
    if (is_keys && attention().is_paged())
        return pointer(input) + " + " + pages_ + ".row(" + kv_head_ + ", " + row + ") * " + of(attention().head_size);
    return pointer(input) + " + (" + (is_keys ? kv_head_ : head_) + " * " +
           of(is_keys ? attention().columns : attention().rows) + " + " + row + ") * " + of(attention().head_size);
}

std::string AttentionWriter::first_seen() const {
    if (attention().window_left < 0) return "0";
    return at_distance("i + " + of(attention().columns) + " - " + of(attention().rows), -attention().window_left);
}

std::string AttentionWriter::last_seen() const {
    const auto last = attention().last_seen();
    if (!last) return columns_;
    return at_distance("i + " + of(attention().columns) + " - " + of(attention().rows), *last + 1);
}

/// The value of a tensor over the scores at row i and column j; a vector of them on the host.
std::string AttentionWriter::score(int input) const {
    const Tensor& tensor = definition_.inputs[static_cast<std::size_t>(input)];
    RowWords words = row_words();
    words.row = "row";
    const std::string row = row_index_text(tensor.shape, attention().scores(), words);
    const bool is_per_column = !tensor.shape.empty() && tensor.shape.back() != "1";
    const std::string place = pointer(input) + (row == "0" ? "" : " + " + as_factor(row)) +
                              (row != "0" && is_per_column ? " * " + of(attention().columns) : "");
    if (!is_per_column) return "kg::load_one<T>(" + place + ")";
    return is_host() ? "kg::load(" + place + ", j)" : "kg::load_one<T>(" + place + " + j)";
}

/// What the elements of a row of an operand are times; "" where they have no scale.
std::string AttentionWriter::row_scale(const OperandScale& scale, bool is_keys, const std::string& row) const {
    if (!scale.is_given()) return "";
    if (scale.input < 0) return std::format("T({})", scale.number);
    if (!scale.is_by_block()) return "kg::load_one<T>(" + pointer(scale.input) + ")";
    const std::string rows = of(is_keys ? attention().columns : attention().rows);
    return std::format("kg::load_one<T>({0} + {1} * (({2} + {3}) / {4}) + {5} / {4})", pointer(scale.input),
                       is_keys ? kv_head_ : head_, rows, attention().scale_block - 1, attention().scale_block, row);
}

std::string AttentionWriter::times_scale(const OperandScale& scale, bool is_keys, const std::string& row) const {
    const std::string text = row_scale(scale, is_keys, row);
    return text.empty() ? "" : " * " + text;
}

/// The function of a product that gives the logit.
void AttentionWriter::write_logit() {
    const std::string number = is_host() ? "auto" : "T";
    source_.open("const auto " + logit_ + " = [=](int64_t i, " + (is_host() ? "auto" : "int64_t") + " j, " + number +
                 " " + product_ + ") {");
    std::string value = product_ + " * " + scale_;
    if (attention().softcap > 0) {
        const std::string cap = std::format("T({})", attention().softcap);
        value = cap + " * kg::tanh(" + value + " / " + cap + ")";
    }
    const std::string bias = attention().bias < 0 ? "" : score(attention().bias),
                      mask = attention().mask < 0 ? "" : score(attention().mask);
    if (has_word(bias, "row") || has_word(mask, "row"))
        source_.line("const int64_t row = " + head_ + " * " + of(attention().rows) + " + i;");
    if (!bias.empty()) value += " + " + bias;
    if (!mask.empty()) {
        source_.line("const auto x = " + value + ";");
        value = "kg::select(" + mask + " != T(0), x, -kg::infinity<T>)";
    }
    source_.line("return " + value + ";");
    source_.close("};");
}

const KernelText::TensorNames* AttentionWriter::output_of(int result) const {
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
        if (at(body_.outputs[i]).index == static_cast<int>(inputs_.size()) + result) return &outputs_[i];
    }
    return nullptr;
}

std::string AttentionWriter::output_row(const std::string& row) const {
    return head_ + " * " + of(attention().rows) + " + " + row;
}

std::string AttentionWriter::stored(const TensorNames& output, const std::string& value) const {
    return "kg::to_storage<" + output.type + ">(" + value + ")";
}

/// Which weights are kept.
void AttentionWriter::write_dropout() {
    if (attention().dropout == 0) return;
    const std::string heads = of(attention().heads);
    source_.line("const kg::Dropout<T> " + dropout_ +
                 std::format("{{{}u, {}u, uint32_t({} / {}), uint32_t({} % {}), T({})}};", attention().seed,
                             attention().dropped_below(), head_, heads, head_, heads, attention().kept_factor()));
}

/// The functions of a tiled kernel that give the columns which a row sees, and its logits.
void AttentionWriter::write_functions() {
    write_scale();
    write_functions_of_rows();
}

void AttentionWriter::write_functions_of_rows() {
    write_seen();
    write_logit();
    write_dropout();
}

void AttentionWriter::write_seen() {
    source_.open("const auto " + seen_ + " = [=](int64_t" +
                 (attention().window_left < 0 && !attention().last_seen() ? "" : " i") + ") {");
    source_.line("return kg::SeenColumns{" + first_seen() + ", " + last_seen() + "};");
    source_.close("};");
}

void AttentionWriter::write_host() {
    const std::string rows = names_.take("tile_rows"), queries = names_.take("queries"), keys = names_.take("keys"),
                      values = names_.take("values"), output = names_.take("output"), lse = names_.take("log_sum");
    source_.line("const kg::Tile " + rows + " = kg::tile(pid0, BLOCK_M, " + of(attention().rows) + ");");
    write_heads("pid1");
    const auto operand = [&](const std::string& name, const std::string& order, int input, bool is_keys,
                             const OperandScale& scale) {
        source_.open("const auto " + name + " = kg::" + order + (has_bytes() ? "" : "<DTYPE>") +
                     "([=](int64_t i, auto d) {");
        const std::string element = "kg::load(" + row_start(input, is_keys, "i") + ", d)";
        const std::string times = times_scale(scale, is_keys, "i");
        source_.line("return " + (times.empty() ? element : "kg::wide<T>(" + element + ")" + times) + ";");
        source_.close("});");
    };
    operand(queries, "along_depth", attention().queries, false, attention().query_scale);
    operand(keys, "along_depth", attention().keys, true, attention().key_scale);
    operand(values, "along_lines", attention().values, true, attention().value_scale);
    write_functions();
    const TensorNames *result = output_of(0), *sums = output_of(1);
    source_.open("const auto " + output + " = [=](int64_t i, auto d, auto value) {");
    source_.line("kg::store<STREAM>(" + result->pointer + " + (" + output_row("i") + ") * " +
                 of(attention().head_size) + ", d, value);");
    source_.close("};");
    if (sums == nullptr) {
        source_.line("const auto " + lse + " = [](int64_t, T) {};");
    } else {
        source_.open("const auto " + lse + " = [=](int64_t i, T value) {");
        source_.line(sums->pointer + "[" + output_row("i") + "] = " + stored(*sums, "value") + ";");
        source_.close("};");
    }
    source_.line("kg::attend<T, REGISTER_M, BLOCK_N>(" + rows + ", " + columns_ + ", " + of(attention().head_size) +
                 ", " + queries + ", " + keys + ", " + values + ", " + seen_ + ", " + logit_ + ", " + dropout_ + ", " +
                 output + ", " + lse + ");");
    source_.line("kg::end_of_stores<STREAM>();");
}

void AttentionWriter::write_naive() {
    const std::string sums = names_.take("sums"), largest = names_.take("largest"), total = names_.take("total"),
                      first = names_.take("first"), last = names_.take("last"), query = names_.take("query"),
                      key = names_.take("key"), kept = names_.take("kept"), weight = names_.take("weight"),
                      kept_weight = names_.take("kept_weight"), values = names_.take("values"),
                      size = of(attention().head_size), rows = of(attention().rows);
    write_heads("pid0 / " + rows);
    source_.line("const int64_t i = pid0 % " + rows + ";");
    write_scale();
    write_logit();
    write_dropout();
    source_.line("const auto* const " + query + " = " + row_start(attention().queries, false, "i") + ";");
    source_.line("T* const " + sums + " = kg::row_buffer<T, 0>(" + size + ").data;");
    source_.line("for (int64_t d = 0; d < " + size + "; ++d) " + sums + "[d] = 0;");
    source_.line("T " + largest + " = -kg::infinity<T>, " + total + " = 0;");
    source_.line("const int64_t " + first + " = " + first_seen() + ", " + last + " = " + last_seen() + ";");
    source_.open("for (int64_t j = " + first + " < 0 ? 0 : " + first + "; j < " + last + " && j < " + columns_ +
                 "; ++j) {");
    source_.line("const auto* const " + key + " = " + row_start(attention().keys, true, "j") + ";");
    source_.line("const auto* const " + values + " = " + row_start(attention().values, true, "j") + ";");
    source_.line("T " + product_ + " = 0;");
    source_.line("for (int64_t d = 0; d < " + size + "; ++d) " + product_ + " += kg::load_one<T>(" + query +
                 " + d) * kg::load_one<T>(" + key + " + d);");
    source_.line("const T x = " + logit_ + "(i, j, " + product_ + times_scale(attention().query_scale, false, "i") +
                 times_scale(attention().key_scale, true, "j") + ");");
    source_.line("if (x == -kg::infinity<T>) continue;");
    source_.open("if (x > " + largest + ") {  // what was added before is relative to a smaller one");
    source_.line("const T " + kept + " = kg::exp(" + largest + " - x);");
    source_.line(largest + " = x;");
    source_.line(total + " *= " + kept + ";");
    source_.line("for (int64_t d = 0; d < " + size + "; ++d) " + sums + "[d] *= " + kept + ";");
    source_.close("}");
    source_.line("const T " + weight + " = kg::exp(x - " + largest + ");");
    source_.line(total + " += " + weight + ";");
    if (attention().dropout > 0)
        source_.line("const T " + kept_weight + " = " + dropout_ + ".keep(i, j, " + weight + ");");
    source_.line("for (int64_t d = 0; d < " + size + "; ++d) " + sums +
                 "[d] += " + (attention().dropout > 0 ? kept_weight : weight) +
                 times_scale(attention().value_scale, true, "j") + " * kg::load_one<T>(" + values + " + d);");
    source_.close("}");
    const TensorNames *result = output_of(0), *log_sums = output_of(1);
    source_.line("// A row that sees nothing is 0.");
    source_.line("for (int64_t d = 0; d < " + size + "; ++d) " + result->pointer + "[pid0 * " + size +
                 " + d] = " + stored(*result, total + " == 0 ? T(0) : " + sums + "[d] / " + total) + ";");
    if (log_sums != nullptr)
        source_.line(log_sums->pointer + "[pid0] = " + stored(*log_sums, largest + " + kg::log(" + total + ")") + ";");
}

void AttentionWriter::write_cuda() {
    const std::string blocks = names_.take("blocks"), block = names_.take("block"), first = names_.take("first"),
                      queries = names_.take("queries"), keys = names_.take("keys"), values = names_.take("values"),
                      output = names_.take("output"), lse = names_.take("log_sum");
    const std::string rows = of(attention().rows), size = of(attention().head_size);
    source_.line("const int64_t " + blocks + " = (" + rows + " + BLOCK_M - 1) / BLOCK_M, " + block +
                 " = kg::block_index();");
    write_heads(block + " / " + blocks);
    const bool is_causal = attention().last_seen().has_value();
    source_.line("const int64_t " + first + " = " +
                 (is_causal
                      ? "(" + blocks + " - 1 - " + block + " % " + blocks + ") * BLOCK_M;  // rows that see most begin"
                      : block + " % " + blocks + " * BLOCK_M;"));
    const auto operand = [&](const std::string& name, int input, bool is_keys, const OperandScale& scale) {
        source_.open("const auto " + name + " = [=](int64_t i, int64_t d) {");
        source_.line("return kg::load_one<T>(" + row_start(input, is_keys, "i") + " + d)" +
                     times_scale(scale, is_keys, "i") + ";");
        source_.close("};");
    };
    operand(queries, attention().queries, false, attention().query_scale);
    operand(keys, attention().keys, true, attention().key_scale);
    operand(values, attention().values, true, attention().value_scale);
    write_functions();
    const TensorNames *result = output_of(0), *sums = output_of(1);
    source_.open("const auto " + output + " = [=](int64_t i, int64_t d, T value) {");
    source_.line(result->pointer + "[(" + output_row("i") + ") * " + size + " + d] = " + stored(*result, "value") +
                 ";");
    source_.close("};");
    if (sums == nullptr) {
        source_.line("const auto " + lse + " = [](int64_t, T) {};");
    } else {
        source_.open("const auto " + lse + " = [=](int64_t i, T value) {");
        source_.line(sums->pointer + "[" + output_row("i") + "] = " + stored(*sums, "value") + ";");
        source_.close("};");
    }
    source_.line("kg::PlainAttention<T, BLOCK_M, BLOCK_N, HEAD_SIZE, num_warps>::attend(");
    source_.line("    {" + first + ", " + rows + "}, " + columns_ + ", " + size + ", " + queries + ", " + keys + ", " +
                 values + ", " + seen_ + ", " + logit_ + ", " + dropout_ + ", " + output + ", " + lse + ");");
}

/// The kernel that makes the tiles of values; with the plain kernel, which reads none, it does nothing.
void AttentionWriter::write_value_tiles() {
    source_.line("// Values in the order in which tensor cores multiply 8 bits.");
    std::vector<std::string> all = parameters("* __restrict__ ");
    all.push_back("int8_t* __restrict__ " + value_tiles_);
    open_function("extern \"C\" __global__ __launch_bounds__(256) void " + value_tiles_entry(definition_), all);
    const TensorNames& values = inputs_[static_cast<std::size_t>(attention().values)];
    source_.line("if constexpr (COPY_WARPS > 0)");
    source_.line("    kg::make_value_tile<HEAD_SIZE>(" + values.pointer + ", " + value_tiles_ + ", " +
                 of(attention().columns) + ", " + of(attention().head_size) + ");");
    source_.close("}");
    source_.line();
}

/// Writes the scales of an operand, of a tensor (`of_tensor`) or of blocks of a head.
void AttentionWriter::write_tile_scale(const OperandScale& scale, const std::string& name, bool is_keys,
                                       bool of_tensor) {
    if (!scale.is_given() || scale.is_by_block() == of_tensor) return;
    const std::string rows = of(is_keys ? attention().columns : attention().rows);
    source_.line("const auto " + name + " = " +
                 (of_tensor ? "kg::tensor_scale(" + row_scale(scale, is_keys, "") + ");"
                            : std::format("kg::block_scale<T, {}>({}, {}, {});", attention().scale_block,
                                          pointer(scale.input), is_keys ? kv_head_ : head_, rows)));
}

/// The kernel for tensor cores, which is the plain one for other dtypes and processors. What needs a division or a root
/// stands before the function of a head, which is called for each tile.
void AttentionWriter::write_cuda_tiles() {
    const std::string tiles = names_.take("tiles"), group = names_.take("group"), queries = names_.take("queries"),
                      keys = names_.take("keys"), values = names_.take("values");
    const std::string rows = of(attention().rows), columns = of(attention().columns), size = of(attention().head_size),
                      heads = of(attention().heads), kv_heads = of(attention().kv_heads),
                      all_heads = as_factor(of(attention().batch)) + " * " + as_factor(heads);
    write_scale();
    write_pages();
    if (kv_head_ != head_)
        source_.line("const int " + group + " = int(" + heads + " / " + kv_heads + ");  // heads that share keys");
    source_.line("const kg::AttentionTiles<BLOCK_M, " + std::string(sees_more_later(attention()) ? "true" : "false") +
                 "> " + tiles + "(" + all_heads + ", " + rows + ", " + (kv_head_ != head_ ? group : "1") + ");");
    constexpr std::string_view constant = "const ";
    const std::string element = inputs_[static_cast<std::size_t>(attention().queries)].type.substr(constant.size()),
                      is_uniform = attention().lengths < 0 ? "true" : "false";
    source_.line("using Attention = kg::Attention<" + element +
                 ", T, BLOCK_M, BLOCK_N, HEAD_SIZE, num_warps, num_stages,");
    source_.line("                                QUERY_STAGES, COPY_WARPS, TURNS, " +
                 std::string(has_bytes() ? "0, " : "DECODE, ") + is_uniform + ">;");
    const Attention& a = attention();
    const std::string query_scale = a.query_scale.is_given() ? names_.take("query_scales") : "",
                      key_scale = a.key_scale.is_given() ? names_.take("key_scales") : "",
                      value_scale = a.value_scale.is_given() ? names_.take("value_scales") : "";
    const auto write_scales = [&](bool of_tensor) {
        write_tile_scale(a.query_scale, query_scale, false, of_tensor);
        write_tile_scale(a.key_scale, key_scale, true, of_tensor);
        write_tile_scale(a.value_scale, value_scale, true, of_tensor);
    };
    write_scales(true);
    source_.open("Attention::compute(" + tiles + ", [=, &" + join(maps_, ", &") + "](int " + head_ + ") {");
    if (kv_head_ != head_) source_.line("const int " + kv_head_ + " = " + head_ + " / " + group + ";");
    write_columns();
    write_scales(false);
    const auto as_argument = [](const std::string& name) { return name.empty() ? "" : ", " + name; };
    const auto operand = [&](const std::string& name, int input, const std::string& place, const std::string& lines) {
        source_.line("const auto " + name + " = kg::" +
                     (place.starts_with(value_tiles_) && has_bytes() ? "tiled_rows_of_head<T, HEAD_SIZE>("
                                                                     : "rows_of_head<T>(") +
                     pointer(input) + ", " + place + ", " + lines + ");");
    };
    const auto paged = [&](const std::string& name, int input, const std::string& map) {
        source_.line("const auto " + name + " = kg::paged_rows<T>(" + pointer(input) + ", " + map + ", " + pages_ +
                     ", " + kv_head_ + ", " + size + ");");
    };
    operand(queries, attention().queries, maps_[0], head_ + ", " + rows + ", " + size + as_argument(query_scale));
    if (attention().is_paged()) {
        paged(keys, attention().keys, maps_[1]);
        paged(values, attention().values, maps_[2]);
    } else {
        operand(keys, attention().keys, maps_[1], kv_head_ + ", " + columns + ", " + size + as_argument(key_scale));
        operand(values, attention().values, has_bytes() ? value_tiles_ : maps_[2],
                kv_head_ + ", " + columns + ", " + size + as_argument(value_scale));
    }
    write_seen();
    const std::string logit = attention().softcap > 0
                                  ? std::format("kg::capped_product({}, T({}))", scale_, attention().softcap)
                                  : "kg::scaled_product(" + scale_ + ")";
    const TensorNames *result = output_of(0), *sums = output_of(1);
    source_.line("return kg::attention_head(" + rows + ", " + columns_ + ", " + queries + ", " + keys + ", " + values +
                 ", " + seen_ + ", " + logit + ",");
    source_.line(
        "                          kg::stored_rows(" + result->pointer + ", " + head_ + ", " + rows + ", " + size +
        "), " +
        (sums == nullptr ? "kg::NoSums{}" : "kg::stored_sums(" + sums->pointer + ", " + head_ + ", " + rows + ")") +
        ");");
    source_.close("}, " + (has_bytes() ? "nullptr" : parts_) + ");");
}

}  // namespace kernelgen
