// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/generate/row_index.h"
#include "core/generate/triton_writer.h"

namespace kernelgen {

namespace {

constexpr std::string_view no_logit = "float(\"-inf\")";

}  // namespace

std::string moved(const std::string& text, std::int64_t distance) {
    constexpr std::int64_t most = std::int64_t{1} << 29;
    return at_distance(text, std::clamp(distance, -most, most));
}

/// A program computes BLOCK_M rows of a head: for each BLOCK_N columns weights relative to the row's largest logit so
/// far, by which what was added before is scaled.
void TritonWriter::write_attention() {
    write_attention_places();
    source_.line(local("largest") + " = tl.full((BLOCK_M, 1), " + std::string(no_logit) + ", T)");
    source_.line(local("total") + " = tl.zeros((BLOCK_M, 1), T)");
    source_.line(local("sums") + " = tl.zeros((BLOCK_M, HEAD_SIZE), T)");
    source_.open("for start in range(" + local("first") + ", " + local("last") + ", BLOCK_N):");
    write_scores();
    write_weights();
    source_.end();
    source_.line(local("total") + " = tl.where(" + local("total") + " == 0, 1.0, " + local("total") +
                 ")  # a row that sees nothing is 0");
    for (std::size_t i = 0; i < body_.outputs.size(); ++i) {
        const bool is_output = at(body_.outputs[i]).index == static_cast<int>(definition_.inputs.size());
        const std::string row = local("head") + " * " + use(dimension(body_.attention->rows)) + " + rows";
        if (is_output)
            source_.line("tl.store(" + output_pointers_[i] + " + (" + row + ") * " +
                         use(dimension(body_.attention->head_size)) + " + " + local("head_columns") + ", " +
                         local("sums") + " / " + local("total") + ", mask=mask)");
        else
            source_.line("tl.store(" + output_pointers_[i] + " + " + row + ", " + local("largest") + " + tl.log(" +
                         local("total") + "), mask=row_mask)");
    }
}

/// The program's head and rows, the columns that these may see, and the queries.
void TritonWriter::write_attention_places() {
    const Attention& of = *body_.attention;
    const std::string rows = use(dimension(of.rows)), columns = use(dimension(of.columns)),
                      size = use(dimension(of.head_size)), head = local("head"), tile = local("row_block");
    source_.line(local("row_tiles") + " = tl.cdiv(" + rows + ", BLOCK_M)");
    source_.line(head + " = (tl.program_id(0) // " + local("row_tiles") + ").to(tl.int64)");
    if (of.last_seen())
        source_.line(tile + " = " + local("row_tiles") + " - 1 - tl.program_id(0) % " + local("row_tiles") +
                     "  # rows that see most begin");
    else source_.line(tile + " = tl.program_id(0) % " + local("row_tiles"));
    source_.line("rows = " + tile + " * BLOCK_M + tl.arange(0, BLOCK_M)[:, None]");
    source_.line("row_mask = rows < " + rows);
    source_.line(local("head_columns") + " = tl.arange(0, HEAD_SIZE)[None, :]");
    source_.line("mask = row_mask & (" + local("head_columns") + " < " + size + ")");
    source_.line(local("queries") + " = " +
                 as_operand("tl.load(" + input_pointers_[static_cast<std::size_t>(of.queries)] + " + (" + head + " * " +
                            rows + " + rows) * " + size + " + " + local("head_columns") + ", mask=mask, other=0.0)"));
    if (of.heads != of.kv_heads) {
        const std::string heads = use(dimension(of.heads)), kv_heads = use(dimension(of.kv_heads));
        source_.line(local("kv_head") + " = " + head + " // " + heads + " * " + kv_heads + " + " + head + " % " +
                     heads + " // (" + heads + " // " + kv_heads + ")  # heads of a group share keys");
    }
    std::string count = columns;
    if (of.lengths >= 0) {
        count = local("count");
        source_.line(count + " = min(tl.load(" + input_pointers_[static_cast<std::size_t>(of.lengths)] + " + " + head +
                     " // " + use(dimension(of.heads)) + "), " + columns + ")");
    }
    source_.line(local("first") + " = " +
                 (of.window_left < 0
                      ? "0"
                      : "max(" + moved(tile + " * BLOCK_M + " + columns + " - " + rows, -of.window_left) + ", 0)"));
    const auto last = of.last_seen();
    source_.line(local("last") + " = " +
                 (!last ? count
                        : "min(" + moved("(" + tile + " + 1) * BLOCK_M + " + columns + " - " + rows, *last) + ", " +
                              count + ")"));
}

std::string TritonWriter::as_operand(const std::string& text) const {
    if (!has_byte_operands(definition_, *body_.attention)) return text;
    // Weights are as narrow as the other operand, which only `accumulate` lets them be.
    return text + (definition_.accumulate ? ".to(tl.bfloat16)" : ".to(T)");
}

std::string TritonWriter::times_row_scale(const OperandScale& scale, bool is_keys) {
    const Attention& of = *body_.attention;
    if (!scale.is_given()) return "";
    if (scale.input < 0) return " * " + python_number(scale.number);
    const std::string pointer = input_pointers_[static_cast<std::size_t>(scale.input)];
    if (!scale.is_by_block()) return " * tl.load(" + pointer + ").to(T)";
    const std::string block = std::to_string(of.scale_block),
                      head = is_keys && of.heads != of.kv_heads ? local("kv_head") : local("head");
    return " * tl.load(" + pointer + " + " + head + " * tl.cdiv(" + use(dimension(is_keys ? of.columns : of.rows)) +
           ", " + block + ") + " + (is_keys ? "columns" : "rows") + " // " + block +
           ", mask=" + (is_keys ? "column_mask" : "row_mask") + ", other=0.0).to(T)";
}

/// Keys or values of the columns.
std::string TritonWriter::key_tile(int input) {
    const Attention& of = *body_.attention;
    const std::string kv_head = of.heads == of.kv_heads ? local("head") : local("kv_head"),
                      size = use(dimension(of.head_size)), elements = local("head_columns");
    const std::string row =
        of.is_paged() ? local("places") : "(" + kv_head + " * " + use(dimension(of.columns)) + " + tl.trans(columns))";
    return as_operand("tl.load(" + input_pointers_[static_cast<std::size_t>(input)] + " + " + row + " * " + size +
                      " + " + elements + ", mask=tl.trans(column_mask) & (" + elements + " < " + size +
                      "), other=0.0)");
}

/// The rows of a paged cache that the columns are.
void TritonWriter::write_places() {
    const Attention& of = *body_.attention;
    const std::string kv_head = of.heads == of.kv_heads ? local("head") : local("kv_head"), places = local("places"),
                      heads = use(dimension(of.kv_heads)), size = use(dimension(of.block_size));
    source_.line(places + " = tl.load(" + input_pointers_[static_cast<std::size_t>(of.block_table)] + " + " + kv_head +
                 " // " + heads + " * " + use(dimension(of.places)) + " + tl.trans(columns) // " + size +
                 ", mask=tl.trans(column_mask), other=0)");
    source_.line(places + " = tl.minimum(tl.maximum(" + places + ", 0), " + use(dimension(of.blocks)) +
                 " - 1).to(tl.int64)");
    source_.line(places + " = (" + places + " * " + heads + " + " + kv_head + " % " + heads + ") * " + size +
                 " + tl.trans(columns) % " + size);
}

/// How many columns the batch has.
std::string TritonWriter::column_count() {
    return body_.attention->lengths < 0 ? use(dimension(body_.attention->columns)) : local("count");
}

/// The logits of a tile; -inf where a column is not seen.
void TritonWriter::write_scores() {
    source_.line("columns = start + tl.arange(0, BLOCK_N)[None, :]");
    source_.line("column_mask = columns < " + column_count());
    if (body_.attention->is_paged()) write_places();
    source_.line(local("keys") + " = " + key_tile(body_.attention->keys));
    write_logits();
}

/// `result`: left · rightᵀ, each with lines of a head's elements.
void TritonWriter::write_product_of(const std::string& result, const std::string& left, const std::string& right) {
    source_.open("if T == tl.float64:  # BLOCK_N is 1");
    source_.line(result + " = tl.sum(" + left + ".to(T) * " + right + ".to(T), axis=1, keep_dims=True)");
    source_.end();
    source_.open("elif ON_CPU:  # the interpreter would multiply the codes of bfloat16");
    source_.line(result + " = tl.dot(" + left + ".to(T), tl.trans(" + right + ".to(T)), out_dtype=T)");
    source_.end();
    source_.open("else:");
    source_.line(result + " = tl.dot(" + left + ", tl.trans(" + right + "), input_precision=\"ieee\", out_dtype=T)");
    source_.end();
}

/// The logits of the rows and columns of which queries and keys were loaded.
void TritonWriter::write_logits() {
    const Attention& of = *body_.attention;
    const std::string columns = use(dimension(of.columns)), rows = use(dimension(of.rows)), scores = local("scores");
    write_product_of(scores, local("queries"), local("keys"));
    std::string logit = scores + " * " + (of.scale ? python_number(*of.scale) : "SCALE") +
                        times_row_scale(of.query_scale, false) + times_row_scale(of.key_scale, true);
    if (of.softcap > 0) {
        const std::string cap = python_number(of.softcap);
        const std::string share = expression_.function("precise_tanh", logit + " / " + cap + ", False");
        if (of.is_backward()) source_.line(local("share") + " = " + share);
        logit = cap + " * " + (of.is_backward() ? local("share") : share);
    }
    source_.line(scores + " = " + logit);
    const auto load = [&](int input) {
        const Tensor& tensor = definition_.inputs[static_cast<std::size_t>(input)];
        const std::string row = row_index_text(
            tensor.shape, of.scores(),
            {local("score_rows"), " // ", [&](const std::string& name) { return use(this->dimension(name)); }});
        const bool is_per_column = !tensor.shape.empty() && tensor.shape.back() != "1";
        std::string place = row == "0" ? "" : " + " + as_factor(row) + (is_per_column ? " * " + columns : "");
        if (is_per_column) place += " + columns";
        const std::string pointer = input_pointers_[static_cast<std::size_t>(input)];
        if (place.empty()) return "tl.load(" + pointer + ")";
        const std::string inside = row == "0" ? "column_mask" : is_per_column ? "row_mask & column_mask" : "row_mask";
        return "tl.load(" + pointer + place + ", mask=" + inside + ", other=0)";
    };
    if (of.bias >= 0 || of.mask >= 0)
        source_.line(local("score_rows") + " = " + local("head") + " * " + rows + " + rows");
    if (of.bias >= 0) source_.line(scores + " += " + load(of.bias) + ".to(T)");
    std::string seen = "column_mask";
    const std::string diagonal = "rows + " + columns + " - " + rows;
    if (const auto last = of.last_seen()) seen += " & (columns <= " + moved(diagonal, *last) + ")";
    if (of.window_left >= 0) seen += " & (columns >= " + moved(diagonal, -of.window_left) + ")";
    if (of.mask >= 0) seen += " & (" + load(of.mask) + " != 0)";
    source_.line(scores + " = tl.where(" + seen + ", " + scores + ", " + std::string(no_logit) + ")");
}

/// Drops weights by Philox4x32-10, the same ones as in every language: each column takes a word of its group of four.
void TritonWriter::write_dropout(const std::string& weights) {
    const Attention& of = *body_.attention;
    const std::string word = local("word"), place = local("place_in_group");
    const std::string heads = use(dimension(of.heads)), head = local("head");
    source_.line("# Philox4x32-10 drops the same weights in every language.");
    source_.line(local("zeros") + " = tl.zeros((BLOCK_M, BLOCK_N), tl.int32)");
    source_.line(word + "0, " + word + "1, " + word + "2, " + word + "3 = tl.philox(");
    source_.line("    tl.full((1, 1), " + std::to_string(of.seed) + ", tl.int64), " + local("zeros") +
                 " + columns // 4, " + local("zeros") + " + rows,");
    source_.line("    " + local("zeros") + " + (" + head + " % " + heads + ").to(tl.int32), " + local("zeros") +
                 " + (" + head + " // " + heads + ").to(tl.int32))");
    source_.line(place + " = columns % 4");
    source_.line(word + "0 = tl.where(" + place + " == 0, " + word + "0, tl.where(" + place + " == 1, " + word +
                 "1, tl.where(" + place + " == 2, " + word + "2, " + word + "3)))");
    source_.line(weights + " = tl.where(" + word + "0.to(tl.int64) < " + std::to_string(of.dropped_below()) +
                 ", 0.0, " + weights + " * " + python_number(of.kept_factor()) + ")");
}

void TritonWriter::write_weights() {
    const Attention& of = *body_.attention;
    const std::string scores = local("scores"), largest = local("largest"), most = local("most"), base = local("base"),
                      weights = local("weights"), kept = local("kept"), total = local("total"), sums = local("sums"),
                      values = local("values");
    source_.line(most + " = tl.maximum(" + largest + ", tl.max(" + scores + ", axis=1, keep_dims=True))");
    source_.line(base + " = tl.where(" + most + " == " + std::string(no_logit) + ", 0.0, " + most + ")");
    source_.line(weights + " = tl.exp(" + scores + " - " + base + ")");
    source_.line(kept + " = tl.exp(" + largest + " - " + base + ")");
    source_.line(largest + " = " + most);
    source_.line(total + " = " + total + " * " + kept + " + tl.sum(" + weights + ", axis=1, keep_dims=True)");
    if (of.dropout > 0) write_dropout(weights);
    source_.line(values + " = " + key_tile(of.values));
    if (of.value_scale.is_given()) source_.line(weights + " = " + weights + times_row_scale(of.value_scale, true));
    source_.open("if T == tl.float64:");
    source_.line(sums + " = " + sums + " * " + kept + " + " + weights + " * " + values + ".to(T)");
    source_.end();
    source_.open("elif ON_CPU:");
    source_.line(sums + " = tl.dot(" + weights + ", " + values + ".to(T), " + sums + " * " + kept + ", out_dtype=T)");
    source_.end();
    source_.open("else:");
    source_.line(sums + " = tl.dot(" + weights + ".to(" + values + ".dtype), " + values + ", " + sums + " * " + kept +
                 ", input_precision=\"ieee\", out_dtype=T)");
    source_.end();
}

}  // namespace kernelgen
