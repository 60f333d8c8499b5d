// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/charts/chart_view.h"

#include <QLabel>
#include <QMenu>
#include <QSignalBlocker>
#include <QStackedLayout>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "app/studio/charts/chart_picture.h"
#include "app/studio/charts/chart_style.h"
#include "app/studio/charts/number_text.h"

namespace kernelgen::studio {

namespace {

constexpr double click_travel = 4;  ///< pixels that the mouse may move in a click
constexpr double small_row = 1e-3;  ///< stretch of a row that takes no more than it needs
constexpr double small_text = 0.9;
constexpr double most_legend = 0.3;  ///< of a chart's height
constexpr int lines_to_a_note = 8;   ///< of a chart's height, for a line of its caption
constexpr int lines_for_title = 9;   ///< of a chart's height, below which the horizontal axis has no title

/// A part of a layout that takes what is left, or nothing: a layout without parts would leave its neighbours no room.
QCPLayoutElement* filler(QCustomPlot* plot) {
    auto* element = new QCPLayoutElement(plot);
    element->setMinimumSize(0, 0);
    element->setMaximumSize(QWIDGETSIZE_MAX, 0);
    element->setMargins({});
    return element;
}

}  // namespace

ChartView::ChartView(const QString& title, QWidget* parent) : QWidget(parent), title_(title) {
    message_ = new QLabel;
    message_->setAlignment(Qt::AlignCenter);
    message_->setWordWrap(true);
    message_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    message_->setMargin(fontMetrics().height());
    makePlot();
    pages_ = new QStackedLayout(this);
    pages_->addWidget(message_);
    pages_->addWidget(plot_);
    connectMouse();
    setFocusProxy(plot_);
    setMinimumSize(fontMetrics().averageCharWidth() * 24, fontMetrics().height() * 6);
}

void ChartView::makePlot() {
    plot_ = new QCustomPlot;
    plot_->setAccessibleName(title_);
    plot_->setFocusPolicy(Qt::StrongFocus);
    plot_->setContextMenuPolicy(Qt::CustomContextMenu);
    plot_->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    plot_->setAutoAddPlottableToLegend(false);
    plot_->setNoAntialiasingOnDrag(true);
    plot_->setPlottingHint(QCP::phFastPolylines);
    auto* head = new QCPLayoutGrid;
    heading_ = new QCPTextElement(plot_);
    caption_ = new QCPTextElement(plot_);
    heading_->setVisible(false);
    caption_->setVisible(false);
    head->setRowSpacing(0);
    plot_->plotLayout()->insertRow(0);
    plot_->plotLayout()->addElement(0, 0, head);
    auto* foot = new QCPLayoutGrid;
    foot->setMargins({});
    foot->setColumnSpacing(0);
    plot_->plotLayout()->addElement(2, 0, foot);
    head->addElement(0, 0, filler(plot_));
    foot->addElement(0, 1, filler(plot_));
    plot_->plotLayout()->setRowStretchFactor(0, small_row);
    plot_->plotLayout()->setRowStretchFactor(2, small_row);
    plot_->plotLayout()->setRowSpacing(2);
    plot_->legend->setMargins({4, 0, 4, 4});
    plot_->legend->setBorderPen(Qt::NoPen);
    plot_->legend->setIconSize(24, 14);
    plot_->legend->setRowSpacing(0);
    plot_->legend->setVisible(true);
}

void ChartView::connectMouse() {
    plot_->installEventFilter(this);
    connect(plot_, &QCustomPlot::mouseMove, this, &ChartView::hover);
    connect(plot_, &QCustomPlot::mousePress, this, [this](QMouseEvent* event) {
        pressed_ = event->position();
        emit used();
    });
    connect(plot_, &QCustomPlot::mouseRelease, this, &ChartView::release);
    connect(plot_, &QCustomPlot::mouseDoubleClick, this, &ChartView::fit);
    connect(plot_, &QCustomPlot::mouseWheel, this, [this] { zoomed_ = true; });
    connect(plot_, &QWidget::customContextMenuRequested, this, &ChartView::showMenu);
    const auto changed = [this] { rangeChanged(); };
    connect(plot_, &QCustomPlot::afterLayout, this, &ChartView::cutLabels);
    connect(plot_->xAxis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this, changed);
    connect(plot_->yAxis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this, changed);
}

bool ChartView::isEmpty() const { return pages_->currentWidget() == message_; }

QString ChartView::message() const { return isEmpty() ? message_->text() : QString(); }

void ChartView::showMessage(const QString& text) {
    applyColours();
    message_->setText(text);
    pages_->setCurrentWidget(message_);
    marks_.clear();
    leave();
}

void ChartView::setHeading(const QString& heading) {
    heading_->setText(heading);
    heading_->setVisible(!heading.isEmpty());
    arrange();
}

void ChartView::setCaption(const QStringList& notes) {
    notes_ = notes;
    caption_->setVisible(!notes.isEmpty());
}

/// The notes side by side as far as they go, then in a further line; what finds no line is left out.
void ChartView::breakCaption() {
    const QFontMetrics metrics(caption_->font());
    const int room = width() - metrics.averageCharWidth() * 4;  // the plot has margins
    const auto most = std::max(1, height() / (lines_to_a_note * metrics.lineSpacing()));
    QStringList lines;
    for (const QString& each : notes_) {
        const QString longer = lines.isEmpty() ? QString() : lines.back() + QStringLiteral(" · ") + each;
        if (!lines.isEmpty() && metrics.horizontalAdvance(longer) <= room) lines.back() = longer;
        else lines << metrics.elidedText(each, Qt::ElideRight, room);
    }
    caption_->setText(lines.mid(0, most).join('\n'));
}

void ChartView::setLabels(const AxisTitle& x, const AxisTitle& y) {
    x_title_ = x;
    y_title_ = y;
    plot_->xAxis->setLabel(x.whole);
    plot_->yAxis->setLabel(y.whole);
}

void ChartView::setFit(const QCPRange& x, const QCPRange& y) {
    fit_x_ = x;
    fit_y_ = y;
}

QCPItemText* ChartView::addText(const QString& text, const QColor& colour) {
    auto* item = new QCPItemText(plot_);
    QFont font = this->font();
    font.setPointSizeF(font.pointSizeF() * small_text);
    item->setFont(font);
    item->setColor(colour);
    item->setText(text);
    item->setSelectable(false);
    return item;
}

void ChartView::redraw() {
    leave();
    rings_ = nullptr;
    plot_->legend->clearItems();
    plot_->clearPlottables();
    plot_->clearItems();
    marks_.clear();
    setCaption(QStringList());
    applyColours();
    draw();
    placeRings();
    arrange();
    pages_->setCurrentWidget(plot_);
    if (!zoomed_) return fit();
    rangeChanged();
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void ChartView::fit() {
    zoomed_ = false;
    {
        const QSignalBlocker quiet_x(plot_->xAxis), quiet_y(plot_->yAxis);  // rangeChanged once, for both
        plot_->xAxis->setRange(fit_x_);
        plot_->yAxis->setRange(fit_y_);
    }
    rangeChanged();
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void ChartView::applyColours() {
    const Colours colours = this->colours();
    QFont font = this->font();
    font.setPointSizeF(font.pointSizeF() * small_text);
    plot_->setBackground(palette().color(QPalette::Base));
    for (QCPAxis* axis : {plot_->xAxis, plot_->yAxis, plot_->yAxis2}) {
        axis->setBasePen(QPen(colours.muted, 1));
        axis->setTickPen(QPen(colours.muted, 1));
        axis->setSubTickPen(QPen(colours.muted, 1));
        axis->setTickLabelColor(colours.muted);
        axis->setLabelColor(palette().color(QPalette::Text));
        axis->setTickLabelFont(font);
        axis->setLabelFont(font);
        axis->setLabelPadding(2);
        axis->grid()->setPen(QPen(colours.grid, 1));
        axis->grid()->setZeroLinePen(Qt::NoPen);
    }
    plot_->legend->setBrush(Qt::NoBrush);
    plot_->legend->setTextColor(palette().color(QPalette::Text));
    plot_->legend->setFont(font);
    caption_->setFont(font);
    caption_->setTextColor(colours.muted);
    QFont bold = this->font();
    bold.setBold(true);
    heading_->setFont(bold);
    heading_->setTextColor(palette().color(QPalette::Text));
    QPalette muted = palette();
    muted.setColor(QPalette::WindowText, colours.muted);
    message_->setPalette(muted);
}

/// Puts heading, caption and legend where they take room only when they are shown.
void ChartView::arrange() {
    forgetLengths(*plot_);
    const bool is_low = height() < lines_for_title * fontMetrics().lineSpacing();
    plot_->xAxis->setLabel(is_low ? QString() : x_title_.whole);
    auto* head = static_cast<QCPLayoutGrid*>(plot_->plotLayout()->element(0, 0));
    auto* foot = static_cast<QCPLayoutGrid*>(plot_->plotLayout()->element(2, 0));
    for (QCPTextElement* each : {heading_, caption_}) {
        if (each->layout() != nullptr) head->take(each);
    }
    head->simplify();
    breakCaption();
    for (QCPTextElement* each : {heading_, caption_}) {
        if (each->visible()) head->addElement(head->rowCount(), 0, each);
    }
    QCPLegend* legend = plot_->legend;
    if (legend->layout() != nullptr) legend->layout()->take(legend);
    legend->setVisible(legend_shown_ && legend->itemCount() > 0);
    if (!legend->visible()) return;
    legend->setWrap(legendColumns());
    legend->setFillOrder(QCPLayoutGrid::foColumnsFirst);  // lays the items out again
    foot->addElement(0, 0, legend);
    // A chart too low for its legend does without.
    if (legend->minimumOuterSizeHint().height() > height() * most_legend) {
        foot->take(legend);
        legend->setVisible(false);
    }
}

/// The number of the legend's columns: as many as there is room for. A column is as wide as its widest item.
int ChartView::legendColumns() const {
    const QCPLegend* legend = plot_->legend;
    std::vector<int> items;
    for (int i = 0; i < legend->itemCount(); ++i) {
        const QCPAbstractLegendItem* item = legend->item(i);  // null in the cells that are left over
        if (item != nullptr) items.push_back(item->minimumOuterSizeHint().width() + legend->columnSpacing());
    }
    const auto fits = [&](std::size_t columns) {
        std::vector<int> widths(columns);
        for (std::size_t i = 0; i < items.size(); ++i) widths[i % columns] = std::max(widths[i % columns], items[i]);
        return std::reduce(widths.begin(), widths.end()) <= width();
    };
    std::size_t columns = std::max<std::size_t>(1, items.size());
    while (columns > 1 && !fits(columns)) --columns;
    return static_cast<int>(columns);
}

/// Called once the layout has given the axes their lengths. Where their ticks were chosen before these were known, all
/// is laid out once more.
void ChartView::cutLabels() {
    if (!hasLengths(*plot_)) {
        keepLengths(*plot_);
        for (const auto phase :
             {QCPLayoutElement::upPreparation, QCPLayoutElement::upMargins, QCPLayoutElement::upLayout})
            plot_->plotLayout()->update(phase);
    }
    const auto cut = [](QCPAxis* axis, const AxisTitle& title, int room) {
        const QFontMetrics metrics(axis->labelFont());
        axis->setLabel(metrics.horizontalAdvance(title.whole) <= room
                           ? title.whole
                           : metrics.elidedText(title.brief, Qt::ElideRight, room));
    };
    if (!plot_->xAxis->label().isEmpty()) cut(plot_->xAxis, x_title_, plot_->axisRect()->width());
    cut(plot_->yAxis, y_title_, plot_->axisRect()->height());
    laidOut();
}

void ChartView::placeRings() {
    rings_ = new MarkRings(plot_);
    rings_->setLayer("overlay");
    rings_->colour = colours().accent;
    rings_->guided = guided_;
    rings_->joined = joined_;
    refreshRings();
}

void ChartView::refreshRings() {
    rings_->selected.clear();
    for (const Mark& each : marks_) {
        if (selected_ && each.id() == selected_) rings_->selected.push_back(each);
    }
}

void ChartView::setSelected(std::optional<int> id) {
    selected_ = id;
    if (rings_ == nullptr || isEmpty()) return;
    refreshRings();
    plot_->layer("overlay")->replot();
}

void ChartView::setLegendShown(bool shown) {
    legend_shown_ = shown;
    arrange();
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

const Mark* ChartView::markAt(const QPointF& pixel) const {
    const Mark* nearest = nullptr;
    double best = reach_ * reach_;
    if (!plot_->axisRect()->rect().contains(pixel.toPoint())) return nullptr;
    for (const Mark& each : marks_) {
        const QPointF away = each.pixel() - pixel;
        const double distance = QPointF::dotProduct(away, away);
        if (distance > best) continue;
        nearest = &each;
        best = distance;
    }
    return nearest;
}

void ChartView::hover(QMouseEvent* event) {
    if (rings_ == nullptr || event->buttons() != Qt::NoButton) return;
    const Mark* mark = markAt(event->position());
    const bool same = mark == nullptr ? !rings_->hovered
                                      : rings_->hovered && rings_->hovered->pixel() == mark->pixel() &&
                                            rings_->hovered->id() == mark->id();
    if (same) return;
    if (mark == nullptr) return leave();
    rings_->hovered = *mark;
    plot_->layer("overlay")->replot();
    plot_->setCursor(mark->id() ? Qt::PointingHandCursor : Qt::ArrowCursor);
    QToolTip::showText(event->globalPosition().toPoint(), tipOf(*mark), plot_);
}

QString ChartView::tipOf(const Mark& mark) const {
    return mark.round == nullptr ? mark.text : roundTip(*mark.round, mark.timing);
}

void ChartView::leave() {
    if (rings_ == nullptr || !rings_->hovered) return;
    rings_->hovered.reset();
    plot_->unsetCursor();
    QToolTip::hideText();
    plot_->layer("overlay")->replot();
}

void ChartView::release(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    const QPointF travel = event->position() - pressed_;
    if (travel.manhattanLength() > click_travel) {
        zoomed_ = true;
        return;
    }
    const Mark* mark = markAt(event->position());
    if (mark != nullptr) click(*mark);
}

void ChartView::click(const Mark& mark) {
    if (mark.round != nullptr) emit roundClicked(mark.round->number);
    else if (mark.row >= 0) emit rowClicked(mark.row);
}

void ChartView::showMenu(const QPoint& at) {
    emit used();
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("Fit"), this, &ChartView::fit);
    QAction* legend = menu->addAction(tr("Legend"), this, &ChartView::setLegendShown);
    legend->setCheckable(true);
    legend->setChecked(legend_shown_);
    menu->addSeparator();
    menu->addAction(tr("Copy"), this, [this] { copyPicture(*this); });
    menu->addAction(tr("Save as…"), this, [this] {
        const QString problem = askAndSavePicture(*this);
        if (!problem.isEmpty()) emit failed(problem);
    });
    menu->popup(plot_->mapToGlobal(at));
}

/// Selects the nearest round or row that has a mark, before or after the selected one.
void ChartView::step(int direction) {
    std::map<int, const Mark*> marks;
    for (const Mark& each : marks_) {
        if (each.id()) marks.emplace(*each.id(), &each);
    }
    if (marks.empty()) return;
    const int from = selected_.value_or(direction > 0 ? marks.begin()->first - 1 : marks.rbegin()->first + 1);
    const auto after = direction > 0 ? marks.upper_bound(from) : marks.lower_bound(from);
    if (direction > 0 && after != marks.end()) click(*after->second);
    if (direction < 0 && after != marks.begin()) click(*std::prev(after)->second);
}

void ChartView::zoom(double factor) {
    zoomed_ = true;
    plot_->xAxis->scaleRange(factor);
    plot_->yAxis->scaleRange(factor);
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void ChartView::keyPressEvent(QKeyEvent* event) {
    emit used();
    switch (event->key()) {
        case Qt::Key_Left: return step(-1);
        case Qt::Key_Right: return step(1);
        case Qt::Key_Plus: return zoom(1 / 1.3);
        case Qt::Key_Minus: return zoom(1.3);
        case Qt::Key_Home: return fit();
        default: QWidget::keyPressEvent(event);
    }
}

void ChartView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    const bool looks = event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange;
    if (!looks || plot_ == nullptr) return;
    applyColours();
    if (!isEmpty()) redraw();
}

void ChartView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (isEmpty()) return;
    sizeChanged();
    arrange();
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

bool ChartView::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Leave) leave();
    return QWidget::eventFilter(watched, event);
}

}  // namespace kernelgen::studio
