// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QPointer>

#include "app/studio/palette/command_model.h"

class QLabel;
class QLineEdit;
class QListView;
class QMainWindow;

namespace kernelgen::studio {

/// Finds any action of the window by some letters of its name and does it. It lies over the window, in front of all
/// panels; Esc, or the focus elsewhere, closes it.
class CommandPalette : public QFrame {
    Q_OBJECT

public:
    explicit CommandPalette(QMainWindow& window);

    void open();
    const CommandModel& model() const { return model_; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void place();
    void type(const QString& typed);
    void choose(const QModelIndex& index);
    void close();
    bool handleKey(int key);
    void tellChosen(const QModelIndex& index);
    void applyPalette();

    QMainWindow& window_;
    QLineEdit* typed_;
    QListView* list_;
    QLabel* what_;
    CommandModel model_;
    QPointer<QWidget> focused_;  ///< before it was opened: it has the focus again
};

}  // namespace kernelgen::studio
