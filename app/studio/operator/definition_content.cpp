// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of a definition: symbols, inputs, outputs, attributes and constraints.
#include <QLocale>
#include <QRegularExpression>
#include <cmath>

#include "app/studio/application/text.h"
#include "app/studio/operator/list_content.h"
#include "app/studio/operator/rename.h"
#include "core/project/attribute_value.h"
#include "core/project/names.h"
#include "core/project/validate.h"

namespace kernelgen::studio {

namespace {

constexpr int size_of_new_symbol = 64;

enum class NameOf { symbol, value };

QString problemOfName(const Project& project, NameOf what, const std::string& name) {
    const bool in_body = what == NameOf::symbol || has_body(project.definition.family);
    const auto problem = in_body ? value_name_problem(name) : parameter_name_problem(name);
    return problem ? TableContent::tr("`%1` %2").arg(toQt(name), toQt(*problem)) : QString();
}

/// Gives a name of the definition, and all its uses, another name.
QString rename(Project& project, NameOf what, std::string& name, const QString& text) {
    const std::string wanted = text.trimmed().toStdString();
    const QString problem = problemOfName(project, what, wanted);
    if (!problem.isEmpty()) return problem;
    const std::string before = std::exchange(name, "");
    const bool is_others = std::ranges::contains(names_of(project.definition), before);  // it was there twice
    if (!is_others) renameUses(project, before, wanted);
    name = wanted;
    return {};
}

auto& symbolsOf(Project& project) { return project.definition.symbols; }
auto& inputsOf(Project& project) { return project.definition.inputs; }
auto& outputsOf(Project& project) { return project.definition.outputs; }
auto& attributesOf(Project& project) { return project.definition.attributes; }
auto& constraintsOf(Project& project) { return project.definition.constraints; }

class SymbolContent : public ListContent<symbolsOf> {
public:
    QString title() const override { return TableContent::tr("Symbols"); }
    std::string path() const override { return "operator.symbols"; }
    QStringList headers(const Project&) const override { return {TableContent::tr("Name")}; }

    std::vector<CellRow> rows(const Project& project) const override {
        std::vector<CellRow> rows;
        for (const std::string& each : list(project)) rows.push_back({{toQt(each)}});
        return rows;
    }
    QString write(Project& project, CellPlace place, const QString& text) const override {
        return rename(project, NameOf::symbol, item(project, place.row), text);
    }
    void insert(Project& project, int row) const override {
        ListContent::insert(project, row);
        for (Case& each : project.cases) each.sizes.try_emplace(item(project, row), size_of_new_symbol);
    }
    void erase(Project& project, int row) const override {
        for (Case& each : project.cases) each.sizes.erase(item(project, row));
        ListContent::erase(project, row);
    }

protected:
    std::string make(const Project& project, int) const override { return freshName(project.definition, "N"); }
};

QString writeDomain(Tensor& tensor, const QString& text) {
    const std::optional<Domain> domain = parse_domain(text.toStdString());
    if (!domain && !text.trimmed().isEmpty()) {
        return TableContent::tr("`%1` is no domain such as `positive`, `-1..1` or `integers 0..9`").arg(text);
    }
    tensor.domain = domain;
    return {};
}

template <auto List>
class TensorContent : public ListContent<List> {
public:
    /// `hasDomains`: its tensors are inputs, which may have values of a domain only.
    TensorContent(QString title, std::string path, std::string base, bool hasDomains)
        : title_(std::move(title)), path_(std::move(path)), base_(std::move(base)), hasDomains_(hasDomains) {}

    QString title() const override { return title_; }
    std::string path() const override { return path_; }
    QStringList headers(const Project&) const override {
        QStringList headers{TableContent::tr("Name"), TableContent::tr("Shape"), TableContent::tr("Dtype")};
        if (hasDomains_) headers << TableContent::tr("Values");
        return headers;
    }
    QStringList choices(int column) const override {
        if (column != 2) return {};
        QStringList names{QString()};
        for (const DType dtype : all_dtypes) names << toQt(to_string(dtype));
        return names;
    }
    std::vector<CellRow> rows(const Project& project) const override {
        std::vector<CellRow> rows;
        for (const Tensor& each : this->list(project)) {
            rows.push_back({{toQt(each.name)},
                            {toQt(join(each.shape, ", ")), TableContent::tr("scalar")},
                            {each.dtype ? toQt(to_string(*each.dtype)) : QString(), TableContent::tr("the case's")}});
            if (!hasDomains_) continue;
            rows.back().push_back({each.domain ? toQt(to_string(*each.domain)) : QString(), TableContent::tr("any")});
        }
        return rows;
    }
    QString write(Project& project, CellPlace place, const QString& text) const override {
        Tensor& tensor = this->item(project, place.row);
        if (place.column == 0) return rename(project, NameOf::value, tensor.name, text);
        if (place.column == 2) return void(tensor.dtype = parse_dtype(text.toStdString())), QString();
        if (place.column == 3) return writeDomain(tensor, text);
        static const QRegularExpression between("[\\s,;\\[\\]()×]+");
        tensor.shape.clear();
        for (const QString& each : text.split(between, Qt::SkipEmptyParts)) tensor.shape.push_back(each.toStdString());
        return {};
    }

protected:
    Tensor make(const Project& project, int row) const override {
        const auto& tensors = this->list(project);
        Tensor tensor{.name = freshName(project.definition, base_), .shape = project.definition.symbols, .dtype = {}};
        if (!tensors.empty()) tensor.shape = tensors[static_cast<std::size_t>(std::max(row - 1, 0))].shape;
        return tensor;
    }
    int columnOf(const Project&, const std::string& rest) const override {
        return rest.starts_with(".shape") ? 1 : rest.starts_with(".dtype") ? 2 : rest.starts_with(".domain") ? 3 : 0;
    }

private:
    QString title_;
    std::string path_, base_;
    bool hasDomains_;
};

class AttributeContent : public ListContent<attributesOf> {
public:
    QString title() const override { return TableContent::tr("Attributes"); }
    std::string path() const override { return "operator.attributes"; }
    QStringList headers(const Project&) const override { return {TableContent::tr("Name"), TableContent::tr("Value")}; }

    std::vector<CellRow> rows(const Project& project) const override {
        std::vector<CellRow> rows;
        for (const Attribute& each : list(project)) rows.push_back({{toQt(each.name)}, {toQt(attribute_text(each))}});
        return rows;
    }
    QString write(Project& project, CellPlace place, const QString& text) const override {
        Attribute& attribute = item(project, place.row);
        if (place.column == 0) return rename(project, NameOf::value, attribute.name, text);
        const auto read = parse_attribute(attribute.name, text.trimmed().toStdString());
        if (!read)
            return TableContent::tr("`%1` is no number such as 1e-5, no integer, and not true or false").arg(text);
        attribute = *read;
        return {};
    }
    /// Paths of attributes have their names: "operator.attributes.eps".
    std::optional<CellPlace> placeOf(const Project& project, const std::string& where) const override {
        for (std::size_t i = 0; i < list(project).size(); ++i) {
            if (where == path() + "." + list(project)[i].name) return CellPlace{static_cast<int>(i), 0};
        }
        return std::nullopt;
    }

protected:
    Attribute make(const Project& project, int) const override { return {freshName(project.definition, "a"), 1}; }
};

class ConstraintContent : public ListContent<constraintsOf> {
public:
    QString title() const override { return TableContent::tr("Constraints"); }
    std::string path() const override { return "operator.constraints"; }
    QStringList headers(const Project&) const override { return {TableContent::tr("Condition on the symbols")}; }

    std::vector<CellRow> rows(const Project& project) const override {
        std::vector<CellRow> rows;
        for (const std::string& each : list(project)) rows.push_back({{toQt(each)}});
        return rows;
    }
    QString write(Project& project, CellPlace place, const QString& text) const override {
        item(project, place.row) = text.trimmed().toStdString();
        return {};
    }

protected:
    std::string make(const Project& project, int) const override {
        return project.definition.symbols.empty() ? "1" : project.definition.symbols.front() + " >= 1";
    }
};

}  // namespace

std::unique_ptr<TableContent> symbolContent() { return std::make_unique<SymbolContent>(); }

std::unique_ptr<TableContent> inputContent() {
    return std::make_unique<TensorContent<inputsOf>>(TableContent::tr("Inputs"), "operator.inputs", "x", true);
}

std::unique_ptr<TableContent> outputContent() {
    return std::make_unique<TensorContent<outputsOf>>(TableContent::tr("Outputs"), "operator.outputs", "out", false);
}

std::unique_ptr<TableContent> attributeContent() { return std::make_unique<AttributeContent>(); }

std::unique_ptr<TableContent> constraintContent() { return std::make_unique<ConstraintContent>(); }

QString numberText(double value) { return QString::number(value, 'g', QLocale::FloatingPointShortest); }

std::optional<double> numberOf(const QString& text) {
    double value = 0;
    if (!parse_number(text.trimmed().toStdString(), value) || !std::isfinite(value)) return std::nullopt;
    return value;
}

}  // namespace kernelgen::studio
