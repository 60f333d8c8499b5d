// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDockWidget>
#include <QObject>
#include <QString>
#include <QStringList>
#include <vector>

class QMainWindow;
class QWidget;

namespace kernelgen::studio {

/// The docks around the middle of a window: where they stand, which are shown, and which part fills the window.
class Docks : public QObject {
    Q_OBJECT

public:
    explicit Docks(QMainWindow& window);

    /// Docks `below` share their place as tabs. A dock `between` stands above them or, in a low window, is a tab as
    /// well.
    /// One `beside` stands at the right of the middle, and is hidden in the default layout.
    enum class Place { left, right, between, below, beside };
    QDockWidget* add(const QString& id, const QString& title, QWidget* panel, Place place);
    QDockWidget* operator[](const QString& id) const;
    std::vector<QDockWidget*> all() const;

    /// Every dock at its place, for the window's size. The middle has room for a screen of source.
    void reset();
    /// The same with these docks alone, the one in `front` before the others of its place.
    void arrange(const QStringList& shown, const QString& front);
    void restore(const QByteArray& state);  ///< one that cannot be read changes nothing
    QByteArray state() const;               ///< of the docks as they are when nothing is hidden or fills the window

    /// The window has another size. The default layout is made for it anew. In a layout of the user's own, docks that a
    /// smaller window has made narrow or low are again as they were.
    void windowResized();

    void hideAll();
    bool areHidden() const { return hidden_; }
    void showAll();  ///< as they were before `hideAll`

    /// Gives a dock with its tabs, or the middle, the whole window, or takes it back where one has it.
    void toggleWhole(QDockWidget* dock_or_middle);
    bool isWhole() const { return whole_; }
    void endWhole();
    /// Shows a dock in front of what shares its place.
    void raise(QDockWidget& dock);
    /// Whether a dock is shown, and not behind another tab.
    bool isInFront(const QDockWidget& dock) const { return !dock.visibleRegion().isEmpty(); }
    /// The dock that a widget is in; null for the middle.
    QDockWidget* around(const QWidget* widget) const;

signals:
    void wholeChanged();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Placed {
        QDockWidget* dock;
        Place place;
    };
    QDockWidget* first(Place place) const;
    void stack();
    void divideWidth();
    void divideHeight();
    void fit();
    bool isDefault() const;
    QByteArray save() const;
    void putBack(const QByteArray& saved);
    /// The width of a dock beside the middle, the height of one below it.
    struct Extent {
        QDockWidget* dock;
        Qt::Orientation orientation;
        int pixels;
    };
    std::vector<Extent> extents() const;
    bool areCrushed() const;
    int heightOfTabs(QDockWidget& dock) const;
    void forgetSizes();

    QMainWindow& window_;
    std::vector<Placed> docks_;
    std::vector<Extent> useful_;  ///< as they were before the window made any of them smaller
    QSize useful_in_, laid_out_;  ///< the window's size then, and at its last `windowResized`
    bool crushed_ = false;
    bool is_dragged_ = false;  ///< the user has dragged an edge between docks: the layout is his own
    QByteArray before_;        ///< while they are hidden or one fills the window, as they were
    bool hidden_ = false, whole_ = false;
};

}  // namespace kernelgen::studio
