// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>
#include <QTimer>
#include <QWidget>

class QLabel;
class QProcess;

namespace kernelgen::studio {

/// A program by name or path, with what was found below it.
class ProgramField : public QWidget {
    Q_OBJECT

public:
    /// `otherwise`: the program where the field is empty, shown in it as `placeholder`.
    ProgramField(const QString& program, QString otherwise, const QString& placeholder, QWidget* parent = nullptr);
    ~ProgramField() override;

    QString program() const { return edit_->text().trimmed(); }
    QLineEdit& edit() { return *edit_; }
    QString state() const;  ///< the path that was found with what is there, or what is missing
    /// Arguments that have the program print what is worth knowing of it, in a line; it is asked once nobody types.
    void setQuestion(const QStringList& arguments);

private:
    void look();
    void ask();
    void takeAnswer();
    void say(const QString& text, bool good);

    QString otherwise_, found_;
    QLineEdit* edit_;
    QLabel* state_;
    QStringList question_;
    QTimer settle_;
    QProcess* process_;  ///< may outlive the field by a moment: nobody waits for its end
};

}  // namespace kernelgen::studio
