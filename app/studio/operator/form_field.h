// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVBoxLayout>
#include <QWidget>
#include <string>
#include <vector>

#include "app/studio/document/project_document.h"

class QLabel;

namespace kernelgen::studio {

/// An editor of a part of the project. Errors are shown below it, and its border is red then.
class FormField : public QWidget {
    Q_OBJECT

public:
    /// `paths` are those of its diagnostics ("operator.inputs" also owns "operator.inputs[1].shape").
    FormField(std::vector<std::string> paths, QWidget* parent = nullptr);

    bool owns(const std::string& where) const;
    bool hasProblem() const;
    virtual void setDiagnostics(const Diagnostics& own);
    /// Gives the focus to the place of a diagnostic that it owns.
    virtual void goTo(const std::string& where);
    /// Shows the present project, without moving a cursor in this field.
    virtual void refresh() = 0;

signals:
    void problemChanged();

protected:
    void setEditor(QWidget* editor);
    QVBoxLayout* column() { return column_; }
    /// Why the last entry was refused; "" where it was accepted.
    void setEntryProblem(const QString& problem);
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void showMessages();

    std::vector<std::string> paths_;
    QVBoxLayout* column_;
    QWidget* editor_ = nullptr;
    QLabel* messages_;
    Diagnostics diagnostics_;
    QString entry_problem_;
};

}  // namespace kernelgen::studio
