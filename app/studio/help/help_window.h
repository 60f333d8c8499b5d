// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "app/studio/help/help_pages.h"

class QLabel;
class QLineEdit;
class QListWidget;
class QMainWindow;
class QTextBrowser;

namespace kernelgen::studio {

/// The guide and the other documents, the keys of the window and what each number means. All of it comes with the
/// program and is searched at once.
class HelpWindow : public QDialog {
    Q_OBJECT

public:
    explicit HelpWindow(QMainWindow& window);

    /// Shows a place: "STUDIO.md#tuning", "keys".
    void goTo(const QString& place);
    QString page() const { return page_; }

private:
    void nameWidgets();
    void placeWidgets();
    void fillList();
    void chooseRow(int row);
    void showPage(const QString& name, const QString& anchor);
    void scrollTo(const QString& anchor);
    void follow(const QUrl& link);

    std::vector<HelpPage> pages_;
    std::vector<HelpSection> sections_;
    std::vector<QString> places_;  ///< of the list's rows
    QLineEdit* words_;
    QListWidget* list_;
    QTextBrowser* text_;
    QLabel* told_;
    QString page_;
};

}  // namespace kernelgen::studio
