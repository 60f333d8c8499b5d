// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/rounds/round_columns.h"

#include <QHeaderView>
#include <QMenu>
#include <QTableView>
#include <algorithm>

namespace kernelgen::studio {

namespace {

constexpr const char* fixed_ids[RoundsModel::column_count] = {"round",    "status", "speedup", "gain",     "bandwidth",
                                                              "ceiling",  "device", "variant", "tunables", "change",
                                                              "baseline", "time",   "note",    "star"};
const QString tunable_prefix = QStringLiteral("tunable:");

}  // namespace

RoundColumns::RoundColumns(QTableView& table, const RoundsModel& model, Settings& settings, QObject* parent)
    : QObject(parent),
      table_(table),
      header_(*table.horizontalHeader()),
      model_(model),
      settings_(settings),
      menu_(new QMenu(RoundColumns::tr("Columns"), &table)) {
    header_.setContextMenuPolicy(Qt::CustomContextMenu);
    connect(&header_, &QWidget::customContextMenuRequested, this,
            [this](const QPoint& place) { menu_->popup(header_.mapToGlobal(place)); });
    connect(menu_, &QMenu::aboutToShow, this, &RoundColumns::fillMenu);
    connect(&header_, &QHeaderView::sectionMoved, this, &RoundColumns::takeOrder);
}

QString RoundColumns::idOf(int column) const {
    return column < RoundsModel::column_count ? QString::fromLatin1(fixed_ids[column])
                                              : tunable_prefix + model_.tunableOf(column);
}

QString RoundColumns::titleOf(int column) const {
    if (column == RoundsModel::Star) return tr("Star");
    return model_.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
}

int RoundColumns::columnOf(const QString& id) const {
    for (int column = 0; column < model_.columnCount(); ++column) {
        if (idOf(column) == id) return column;
    }
    return -1;
}

/// The star first, then all others but the tunables, which stand together in the configuration.
QStringList RoundColumns::defaults() const {
    QStringList ids = {idOf(RoundsModel::Star)};
    for (int column = 0; column < RoundsModel::Star; ++column) ids << idOf(column);
    return ids;
}

QStringList RoundColumns::shown() const {
    QStringList ids = settings_.roundColumns();
    ids.removeDuplicates();
    if (ids.isEmpty()) return defaults();
    if (!ids.contains(idOf(RoundsModel::Number))) ids.prepend(idOf(RoundsModel::Number));
    return ids;
}

void RoundColumns::keep(const QStringList& ids) {
    settings_.setRoundColumns(ids == defaults() ? QStringList() : ids);
    apply();
}

void RoundColumns::apply() {
    applying_ = true;
    const QStringList ids = shown();
    for (int column = 0; column < model_.columnCount(); ++column)
        header_.setSectionHidden(column, !ids.contains(idOf(column)));
    int place = 0;
    for (const QString& id : ids) {
        if (const int column = columnOf(id); column >= 0) header_.moveSection(header_.visualIndex(column), place++);
    }
    const QFontMetrics metrics(table_.font());
    for (int column = RoundsModel::column_count; column < model_.columnCount(); ++column)
        header_.resizeSection(column, std::max(metrics.horizontalAdvance(titleOf(column)) + 30, metrics.height() * 3));
    applying_ = false;
}

/// Shows one more column at the end of its kind, or hides it.
void RoundColumns::show(const QString& id, bool on) {
    QStringList ids = shown();
    ids.removeAll(id);
    if (on) {
        const auto last = std::find_if(ids.rbegin(), ids.rend(), [&](const QString& each) {
            return each.startsWith(tunable_prefix) || each == idOf(RoundsModel::Tunables);
        });
        const bool is_tunable = id.startsWith(tunable_prefix) && last != ids.rend();
        ids.insert(is_tunable ? static_cast<qsizetype>(ids.rend() - last) : ids.size(), id);
    }
    keep(ids);
}

/// A column for each tunable in place of the configuration, or the other way round.
void RoundColumns::showTunables(bool on) {
    QStringList ids = shown();
    const QString together = idOf(RoundsModel::Tunables);
    qsizetype place = ids.indexOf(together);
    for (qsizetype i = ids.size(); i-- > 0;) {
        if (!ids[i].startsWith(tunable_prefix) && ids[i] != together) continue;
        place = i;
        ids.removeAt(i);
    }
    if (place < 0 || place > ids.size()) place = ids.size();
    if (!on) ids.insert(place, together);
    for (int column = RoundsModel::column_count; on && column < model_.columnCount(); ++column)
        ids.insert(place++, idOf(column));
    keep(ids);
}

void RoundColumns::fillMenu() {
    menu_->clear();
    const QStringList ids = shown();
    const auto add = [this](const QString& text, bool on, std::function<void(bool)> act) {
        QAction* action = menu_->addAction(text);
        action->setCheckable(true);
        action->setChecked(on);
        connect(action, &QAction::triggered, this, std::move(act));
    };
    bool any_tunable = false;
    for (int column = RoundsModel::column_count; column < model_.columnCount(); ++column)
        any_tunable = any_tunable || ids.contains(idOf(column));
    add(tr("A column for each tunable"), any_tunable, [this](bool on) { showTunables(on); });
    menu_->addSeparator();
    for (int column = RoundsModel::Verdict; column < model_.columnCount(); ++column) {
        const QString id = idOf(column);
        add(titleOf(column), ids.contains(id), [this, id](bool on) { show(id, on); });
    }
    menu_->addSeparator();
    menu_->addAction(tr("The usual columns"), this, [this] { keep(defaults()); });
}

/// The person has dragged a title. Columns of other projects' tunables keep their place behind the one before them.
void RoundColumns::takeOrder() {
    if (applying_) return;
    QStringList ids;
    for (int place = 0; place < header_.count(); ++place) {
        const int column = header_.logicalIndex(place);
        if (!header_.isSectionHidden(column)) ids << idOf(column);
    }
    for (const QString& each : shown()) {
        if (columnOf(each) < 0) ids << each;
    }
    settings_.setRoundColumns(ids);
}

}  // namespace kernelgen::studio
