// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <map>
#include <set>

#include "app/studio/session/session.h"

class QLabel;
class QMenu;
class QTabWidget;
class QToolButton;

namespace kernelgen::studio {

class FindBar;
class LineBar;
class SourceEditor;

/// The project's sources with the compiler's messages on their lines: a tab for each file of the variant under work,
/// for what is modified, and for what was asked for; a button reaches the others.
class SourceTabs : public QWidget {
    Q_OBJECT

public:
    explicit SourceTabs(Session& session, QWidget* parent = nullptr);

    /// Shows a file at a line and column, from 1; 0 leaves the cursor where it is.
    void goTo(const QString& file, int line, int column);
    /// The colours that link lines with their code: for each file, of each line that has code. Empty: none.
    void setLinked(std::map<std::string, std::map<int, int>> colours);
    /// Shows a line whose code was chosen, and makes it stand out; neither the cursor nor the focus goes there.
    void showLinked(const QString& file, int line);
    void find();     ///< opens the find bar of the file that is shown
    void replace();  ///< the same with its second line
    void findNext();
    void findPrevious();
    void goToLine();       ///< asks for a line of the file that is shown
    void chooseSource();   ///< opens the list of all sources
    void zoom(int steps);  ///< of a point each, in all sources

signals:
    void cursorMoved(const QString& file, int line);  ///< in the source that is shown

private:
    void connectSession();
    void refresh();
    void follow();
    void arrange();
    void bringUp(SourceFile& source);
    void addEditor(SourceFile& source);
    void fillMenu();
    void updateTabs();
    void showVariant();
    void showNotice();
    void showMessages();
    void takeCurrent();
    void tellCursor(SourceEditor& editor);
    void applyLinked();
    int tabOf(const std::string& file) const;
    SourceEditor* editor(int index) const;
    SourceEditor* current() const;

    Session& session_;
    QLabel* notice_;
    QTabWidget* tabs_;
    QToolButton* others_;
    QMenu* menu_;
    FindBar* find_bar_;
    LineBar* line_bar_;
    std::string shown_variant_;
    std::vector<std::string> work_;  ///< the files of the variant under work
    std::set<std::string> asked_;    ///< further files that have tabs
    std::map<std::string, std::map<int, int>> linked_;
    int zoom_ = 0;  ///< steps from the system's size
};

}  // namespace kernelgen::studio
