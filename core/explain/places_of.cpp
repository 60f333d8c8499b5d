// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "core/base/text.h"
#include "core/explain/finders.h"

namespace kernelgen {

namespace {

constexpr std::size_t most_places = 3;
constexpr std::size_t longest_line = 160;

/// Words of a line that look like names.
std::set<std::string> words_of(std::string_view line) {
    std::set<std::string> words;
    std::string word;
    for (const char c : std::string(line) + " ") {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') word += c;
        else if (!word.empty()) words.insert(std::exchange(word, ""));
    }
    return words;
}

/// Whether a line names a tensor, by its own name or as sources call its pointer ("out_ptr", "p_out").
bool names_tensor(std::string_view line, const std::string& tensor) {
    return tensor.empty() || std::ranges::any_of(words_of(line), [&](const std::string& word) {
               return word == tensor || word.starts_with(tensor + "_") || word.ends_with("_" + tensor);
           });
}

/// What a line does, as far as its text tells; of C++, CUDA and Triton alike.
class Line {
public:
    explicit Line(std::string_view text) : text_(text) {}

    bool is_code() const {
        return !text_.empty() && !text_.starts_with("//") && !text_.starts_with('#') && !text_.starts_with('*') &&
               !text_.starts_with("extern ");
    }
    bool stores() const {
        if (text_.contains("tl.store") || text_.contains("store(")) return true;
        const std::size_t bracket = text_.find(']');
        const std::size_t equals = text_.find('=', bracket == std::string_view::npos ? 0 : bracket);
        const bool is_assignment = equals != std::string_view::npos && text_.substr(equals, 2) != "==" && equals > 0 &&
                                   std::string_view("!<>=").find(text_[equals - 1]) == std::string_view::npos;
        // "float y = x[i];" reads: its bracket stands after the sign.
        return bracket != std::string_view::npos && is_assignment && text_.find('[') < text_.find('=');
    }
    bool loads() const {
        const bool calls = text_.contains("load(") || text_.contains("load<") || text_.contains("load_one");
        return calls || (text_.contains('[') && !stores());
    }
    bool loops() const {
        return text_.contains("for (") || text_.contains("for(") || text_.contains("while (") ||
               text_.starts_with("for ") || text_.contains("range(");
    }
    bool is_unmasked() const {
        return (text_.contains("tl.load") || text_.contains("tl.store")) && !text_.contains("mask");
    }
    bool bounds() const { return text_.contains("cdiv") || text_.contains("min(") || text_.contains("if ("); }
    bool compares() const {
        return text_.contains("max(") || text_.contains("min(") || text_.contains("maximum(") || text_.contains('?') ||
               text_.contains("if (") || text_.contains("where(");
    }
    bool computes_once() const { return text_.contains("exp") || text_.contains("sqrt") || text_.contains(" / "); }
    bool accumulates() const { return text_.contains("+="); }
    bool is_declaration() const {
        return text_.starts_with("float ") || text_.starts_with("double ") || text_.starts_with("DTYPE ") ||
               text_.starts_with("half ") || text_.contains("kg_f16") || text_.contains("__half") ||
               text_.contains("tl.zeros") || text_.contains(".to(");
    }

private:
    std::string_view text_;
};

/// How likely the line is the one that a cause is in; 0: not.
int weight_of(const Line& line, bool names_it, CauseKind kind) {
    const auto first_of = [&](bool a, bool b, bool c = false) { return a ? 3 : b ? 2 : c ? 1 : 0; };
    switch (kind) {
        case CauseKind::unwritten:
        case CauseKind::tail_columns:
        case CauseKind::tail_rows:
        case CauseKind::tail_elements:
        case CauseKind::out_of_bounds:
            return first_of(line.is_unmasked() || line.loops(), line.bounds(), line.stores());
        case CauseKind::reduction_tail:
        case CauseKind::precision_grows: return first_of(line.accumulates(), line.loops());
        case CauseKind::nan_lost:
        case CauseKind::depends_on_sign: return first_of(line.compares(), line.stores() && names_it);
        case CauseKind::nan_made:
        case CauseKind::overflow: return first_of(line.computes_once(), line.compares());
        case CauseKind::wrong_index: return first_of(names_it && line.loads(), names_it && line.stores());
        case CauseKind::narrow_precision: return first_of(line.is_declaration(), line.accumulates());
        case CauseKind::row_factor: return first_of(line.accumulates(), line.computes_once(), line.loops());
        case CauseKind::old_contents: return first_of(line.accumulates() && names_it, line.stores() && names_it);
        default: return first_of(line.stores() && names_it, line.accumulates() && names_it);
    }
}

struct Weighed {
    int weight = 0;
    SourceLine place;
};

void weigh_lines(const std::string& file, const std::string& text, CauseKind kind, const std::string& tensor,
                 std::vector<Weighed>& found) {
    int number = 0;
    for (const std::string& each : split(text, '\n')) {
        ++number;
        const std::string_view trimmed = trim(each);
        const Line line(trimmed);
        if (!line.is_code()) continue;
        const int weight = weight_of(line, names_tensor(trimmed, tensor), kind);
        if (weight > 0) found.push_back({weight, {file, number, std::string(trimmed.substr(0, longest_line))}});
    }
}

}  // namespace

std::vector<SourceLine> places_of(const Implementation& candidate, CauseKind kind, const std::string& tensor) {
    std::vector<Weighed> found;
    weigh_lines(candidate.variant.source, candidate.text, kind, tensor, found);
    for (const auto& [file, text] : candidate.files) weigh_lines(file, text, kind, tensor, found);
    std::ranges::stable_sort(found, std::greater(), &Weighed::weight);
    std::vector<SourceLine> places;
    for (const Weighed& each : found) {
        if (places.size() < most_places && each.weight == found.front().weight) places.push_back(each.place);
    }
    return places;
}

}  // namespace kernelgen
