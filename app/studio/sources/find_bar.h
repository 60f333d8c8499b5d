// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QTimer>
#include <QWidget>

#include "app/studio/sources/source_editor.h"
#include "app/studio/sources/text_search.h"

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QToolButton;

namespace kernelgen::studio {

/// Finds and replaces in one source. Hidden until it is opened; Esc closes it.
class FindBar : public QWidget {
    Q_OBJECT

public:
    explicit FindBar(QWidget* parent = nullptr);

    /// The source to look in; null for none.
    void setEditor(SourceEditor* editor);
    /// Shows the bar with what is selected in the source, and the cursor in its first field.
    void openFor(bool replacing);
    void close();
    void findNext();
    void findPrevious();

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QWidget* findLine();
    QWidget* replaceLine();
    QToolButton* tool(const QString& name, const QString& tip);
    QToolButton* option(const QString& text, const QString& name, const QString& tip);
    Search search() const;
    void takeSearch();
    void look();
    void goTo(const QTextCursor& place);
    void step(bool forward);
    void replaceOne();
    void replaceEvery();
    void showCount();
    void applyIcons();

    QPointer<SourceEditor> editor_;
    QLineEdit *text_, *with_;
    QToolButton *match_case_, *whole_word_, *regular_expression_;
    QToolButton *previous_, *next_, *close_;
    QPushButton *replace_, *replace_all_;
    QLabel* count_;
    QWidget* replace_line_;
    QTextCursor begin_;  ///< where looking began: what is typed is looked for from there on
    QTimer counting_;    ///< the count follows edits after a moment
};

}  // namespace kernelgen::studio
