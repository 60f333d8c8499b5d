// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include <QWidget>
#include <optional>
#include <vector>

#include "app/studio/charts/mark_rings.h"
#include "app/studio/theme/theme.h"

class QLabel;
class QStackedLayout;

namespace kernelgen::studio {

/// The base of all charts: axes in the palette's colours, tooltips, zoom, pan and fit, the selected round, the legend,
/// the menu, and a message where there is no data. Derived classes draw the data.
class ChartView : public QWidget {
    Q_OBJECT

public:
    explicit ChartView(const QString& title, QWidget* parent = nullptr);

    QString title() const { return title_; }
    QCustomPlot& plot() { return *plot_; }
    bool isEmpty() const;
    QString message() const;  ///< the message that is shown instead of the chart
    bool isLegendShown() const { return legend_shown_; }
    /// The marks that the mouse can point at.
    const std::vector<Mark>& marks() const { return marks_; }

    /// Shows a message instead of the chart: why there is no data, and what to do.
    void showMessage(const QString& text);
    void setSelectedRound(std::optional<int> number) { setSelected(number); }
    void setSelectedRow(std::optional<int> row) { setSelected(row); }
    void forgetZoom() { zoomed_ = false; }  ///< the next drawing is fitted
    /// Prepares the chart for an exported picture: with its title, without marks of the mouse.
    void setHeading(const QString& heading);

public slots:
    void fit();
    void setLegendShown(bool shown);

signals:
    void roundClicked(int number);
    void rowClicked(int row);
    void used();                          ///< by mouse or keyboard
    void failed(const QString& problem);  ///< a picture that could not be written

protected:
    /// Adds everything to the empty plot, in `colours()`, with `addMark`, `setCaption` and `setFit`.
    virtual void draw() = 0;
    /// Draws everything again, within the ranges to which the user has zoomed.
    void redraw();

    Colours colours() const { return coloursOf(palette()); }
    void addMark(Mark mark) { marks_.push_back(std::move(mark)); }
    void setCaption(const QStringList& notes);  ///< small, above the axes, in as many lines as there is room for
    /// The title of an axis, and a shorter one for where it finds no room.
    struct AxisTitle {
        AxisTitle(QString text) : whole(text), brief(std::move(text)) {}
        AxisTitle(QString text, QString shorter) : whole(std::move(text)), brief(std::move(shorter)) {}
        QString whole, brief;
    };
    void setLabels(const AxisTitle& x, const AxisTitle& y);
    void setFit(const QCPRange& x, const QCPRange& y);
    void setGuided(bool guided) { guided_ = guided; }
    void setJoined(bool joined) { joined_ = joined; }
    /// How far from a mark, in pixels, the mouse still means it.
    void setReach(double pixels) { reach_ = pixels; }
    /// What the mouse tells of a mark.
    virtual QString tipOf(const Mark& mark) const;
    /// Called after every change of the visible range.
    virtual void rangeChanged() {}
    /// Runs when the chart has become larger or smaller, before it is drawn so.
    virtual void sizeChanged() {}
    /// Runs once the axes have their lengths, before anything is drawn.
    virtual void laidOut() {}
    bool isZoomed() const { return zoomed_; }
    QCPItemText* addText(const QString& text, const QColor& colour);

    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void makePlot();
    void connectMouse();
    void applyColours();
    void arrange();
    void breakCaption();
    int legendColumns() const;
    void cutLabels();
    void placeRings();
    void refreshRings();
    const Mark* markAt(const QPointF& pixel) const;
    void hover(QMouseEvent* event);
    void leave();
    void release(QMouseEvent* event);
    void showMenu(const QPoint& at);
    void setSelected(std::optional<int> id);
    void click(const Mark& mark);
    void step(int direction);
    void zoom(double factor);
    bool eventFilter(QObject* watched, QEvent* event) override;

    QString title_;
    QStackedLayout* pages_ = nullptr;
    QLabel* message_ = nullptr;
    QCustomPlot* plot_ = nullptr;
    QCPTextElement* caption_ = nullptr;
    QCPTextElement* heading_ = nullptr;
    MarkRings* rings_ = nullptr;
    std::vector<Mark> marks_;
    std::optional<int> selected_;
    QStringList notes_;
    AxisTitle x_title_{QString()}, y_title_{QString()};
    QCPRange fit_x_, fit_y_;
    QPointF pressed_;
    double reach_ = 14;
    bool zoomed_ = false, legend_shown_ = true, guided_ = false, joined_ = false;
};

}  // namespace kernelgen::studio
