// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "app/studio/operator/form_field.h"

class QComboBox;
class QLineEdit;
class QPlainTextEdit;

namespace kernelgen::studio {

/// Connects one text of a form with its place in the project.
struct TextBinding {
    QString name;  ///< as the form and the undo menu show it
    QString tip;
    std::string path;  ///< of its diagnostics
    std::function<QString(const Project&)> read;
    /// Sets the text, or returns why it is refused.
    std::function<QString(Project&, const QString&)> write;
};

/// A field with one text. A refused entry stays in the field, with the reason, and changes nothing.
class TextField : public FormField {
    Q_OBJECT

public:
    TextField(ProjectDocument& document, TextBinding binding, QWidget* parent = nullptr);

    const TextBinding& binding() const { return binding_; }
    QString name() const override { return binding_.name; }

protected:
    /// Continuous typing becomes one undo step.
    void commit(const QString& text);
    void endTyping() { ++stretch_; }
    QString current() const;  ///< the project's text
    bool isOwnEdit() const { return committing_; }

    ProjectDocument& document_;

private:
    TextBinding binding_;
    int stretch_ = 0;
    bool committing_ = false;
};

/// One line, such as a name or a number.
class LineField : public TextField {
    Q_OBJECT

public:
    LineField(ProjectDocument& document, TextBinding binding, QWidget* parent = nullptr);
    void refresh() override;

private:
    void showMenu(QPoint place);

    QLineEdit* edit_;
};

struct Choice {
    QString text;  ///< as the project has it
    QString shown;
};

/// One of several texts, which may depend on the project.
class ChoiceField : public TextField {
    Q_OBJECT

public:
    using Choices = std::function<std::vector<Choice>(const Project&)>;
    ChoiceField(ProjectDocument& document, TextBinding binding, Choices choices, QWidget* parent = nullptr);
    void refresh() override;

private:
    Choices choices_;
    QComboBox* box_;
};

/// Several lines. Code is in a fixed font, with the places of its errors ("operator.body:1:17") underlined.
class LinesField : public TextField {
    Q_OBJECT

public:
    enum class Kind { prose, code };
    LinesField(ProjectDocument& document, TextBinding binding, Kind kind, QWidget* parent = nullptr);
    void refresh() override;
    void setDiagnostics(const Diagnostics& own) override;
    void goTo(const std::string& where) override;

private:
    QPlainTextEdit* edit_;
};

}  // namespace kernelgen::studio
