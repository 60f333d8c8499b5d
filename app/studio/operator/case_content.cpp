// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of what is verified and timed: cases and tolerances.
#include <set>

#include "app/studio/application/text.h"
#include "app/studio/operator/list_content.h"
#include "core/verify/tolerance.h"

namespace kernelgen::studio {

namespace {

auto& casesOf(Project& project) { return project.cases; }

std::string nameBySizes(const Operator& definition, const Case& binding) {
    std::vector<std::string> sizes;
    for (const std::string& symbol : definition.symbols) {
        const auto size = binding.sizes.find(symbol);
        if (size != binding.sizes.end()) sizes.push_back(std::to_string(size->second));
    }
    return join(sizes, "x") + " " + std::string(to_string(binding.dtype));
}

bool isTaken(const Project& project, const std::string& name) { return project.find_case(name) != nullptr; }

/// A name, a dtype, and a column for each symbol's size.
class CaseContent : public ListContent<casesOf> {
public:
    QString title() const override { return TableContent::tr("Cases"); }
    std::string path() const override { return "cases"; }

    QStringList headers(const Project& project) const override {
        QStringList headers{TableContent::tr("Name"), TableContent::tr("Dtype")};
        for (const std::string& symbol : project.definition.symbols) headers << toQt(symbol);
        return headers;
    }
    QStringList choices(int column) const override {
        QStringList names;
        if (column != 1) return names;
        for (const DType dtype : all_dtypes) names << toQt(to_string(dtype));
        return names;
    }
    std::vector<CellRow> rows(const Project& project) const override {
        std::vector<CellRow> rows;
        for (const Case& each : list(project)) {
            CellRow& row = rows.emplace_back(CellRow{{toQt(each.name)}, {toQt(to_string(each.dtype))}});
            for (const std::string& symbol : project.definition.symbols) {
                const auto size = each.sizes.find(symbol);
                row.push_back({size == each.sizes.end() ? QString() : QString::number(size->second)});
            }
        }
        return rows;
    }
    QString write(Project& project, CellPlace place, const QString& text) const override {
        Case& binding = item(project, place.row);
        if (place.column == 0) return void(binding.name = text.trimmed().toStdString()), QString();
        const bool named_by_sizes = binding.name == nameBySizes(project.definition, binding);
        if (place.column == 1) {
            binding.dtype = parse_dtype(text.toStdString()).value_or(binding.dtype);
        } else {
            long long size = 0;
            if (!parse_integer(text.trimmed().toStdString(), size)) {
                return TableContent::tr("`%1` is not a whole number below 2^63").arg(text);
            }
            binding.sizes[project.definition.symbols[static_cast<std::size_t>(place.column - 2)]] = size;
        }
        const std::string name = nameBySizes(project.definition, binding);
        if (named_by_sizes && !isTaken(project, name)) binding.name = name;
        return {};
    }

protected:
    Case make(const Project& project, int row) const override {
        Case fresh;
        if (!list(project).empty()) fresh = list(project)[static_cast<std::size_t>(std::max(row - 1, 0))];
        for (const std::string& symbol : project.definition.symbols) fresh.sizes.try_emplace(symbol, 1024);
        for (const DType dtype : {DType::f32, DType::bf16, DType::f16, DType::f64}) {
            fresh.dtype = dtype;
            fresh.name = nameBySizes(project.definition, fresh);
            if (!isTaken(project, fresh.name)) return fresh;
        }
        const std::string base = fresh.name;
        for (int number = 2; isTaken(project, fresh.name); ++number) fresh.name = base + " " + std::to_string(number);
        return fresh;
    }
    int columnOf(const Project& project, const std::string& rest) const override {
        if (rest == ".dtype") return 1;
        const auto& symbols = project.definition.symbols;
        const auto symbol = std::ranges::find_if(symbols, [&](const auto& each) { return rest == "." + each; });
        return symbol == symbols.end() ? 0 : 2 + static_cast<int>(symbol - symbols.begin());
    }
};

/// A row for each dtype that is not exact; an empty cell stands for the default.
class ToleranceContent : public TableContent {
public:
    QString title() const override { return TableContent::tr("Tolerances"); }
    std::string path() const override { return "accuracy"; }
    QStringList headers(const Project&) const override {
        return {TableContent::tr("Output dtype"), TableContent::tr("rtol"), TableContent::tr("atol")};
    }
    bool isEditable(int column) const override { return column > 0; }
    bool hasFixedRows() const override { return true; }

    std::vector<CellRow> rows(const Project& project) const override {
        std::vector<CellRow> rows;
        for (const DType dtype : dtypes) {
            const Tolerance usual = default_tolerance(dtype);
            const std::optional<Tolerance> own = own_tolerance(project.accuracy, dtype);
            rows.push_back({{toQt(to_string(dtype))},
                            {own ? numberText(own->rtol) : QString(), numberText(usual.rtol)},
                            {own ? numberText(own->atol) : QString(), numberText(usual.atol)}});
        }
        return rows;
    }
    QString write(Project& project, CellPlace place, const QString& text) const override {
        const DType dtype = dtypes[place.row];
        const Tolerance usual = default_tolerance(dtype);
        const bool rtol = place.column == 1;
        const std::optional<double> value =
            text.trimmed().isEmpty() ? (rtol ? usual.rtol : usual.atol) : numberOf(text);
        if (!value) return TableContent::tr("`%1` is not a number such as 1e-5").arg(text);
        Tolerance tolerance = own_tolerance(project.accuracy, dtype).value_or(usual);
        (rtol ? tolerance.rtol : tolerance.atol) = *value;
        set(project.accuracy, dtype, tolerance == usual ? std::nullopt : std::optional(tolerance));
        return {};
    }
    /// "accuracy.bf16.rtol"; "accuracy.atol" is f32's.
    std::optional<CellPlace> placeOf(const Project&, const std::string& where) const override {
        const int column = where.ends_with(".atol") ? 2 : 1;
        int row = 1;
        for (int i = 0; i < static_cast<int>(std::size(dtypes)); ++i) {
            if (where.starts_with("accuracy." + std::string(to_string(dtypes[i])) + ".")) row = i;
        }
        return where.starts_with("accuracy.") ? std::optional(CellPlace{row, column}) : std::nullopt;
    }

private:
    static void set(Accuracy& accuracy, DType dtype, const std::optional<Tolerance>& tolerance) {
        const bool named = dtype != DType::f32 || accuracy.named.contains(dtype);
        if (!named) accuracy.f32 = tolerance;
        else if (tolerance) accuracy.named[dtype] = *tolerance;
        else accuracy.named.erase(dtype);
    }

    static constexpr DType dtypes[] = {DType::f64, DType::f32, DType::f16, DType::bf16, DType::f8e4m3, DType::f8e5m2};
};

}  // namespace

std::unique_ptr<TableContent> caseContent() { return std::make_unique<CaseContent>(); }

std::unique_ptr<TableContent> toleranceContent() { return std::make_unique<ToleranceContent>(); }

}  // namespace kernelgen::studio
