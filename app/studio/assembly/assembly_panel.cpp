// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/assembly/assembly_panel.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <QtConcurrentRun>
#include <algorithm>
#include <numeric>
#include <ranges>

#include "app/studio/application/elided_label.h"
#include "app/studio/application/engine_words.h"
#include "app/studio/application/plain_table.h"
#include "app/studio/application/text.h"
#include "app/studio/assembly/listing_delegate.h"
#include "app/studio/theme/icons.h"
#include "app/studio/theme/theme.h"
#include "app/studio/tunables/build_card.h"
#include "core/listing/built_code.h"

namespace kernelgen::studio {

namespace {

QString titleOfKind(CodeKind kind) {
    switch (kind) {
        case CodeKind::assembly: return AssemblyPanel::tr("Assembly");
        case CodeKind::ptx: return QStringLiteral("PTX");
        case CodeKind::sass: return QStringLiteral("SASS");
        case CodeKind::ttir: return QStringLiteral("TTIR");
        case CodeKind::ttgir: return QStringLiteral("TTGIR");
    }
    return {};
}

QToolButton* arrow(Qt::ArrowType type, const char* name, const QString& tip) {
    auto* button = new QToolButton;
    button->setArrowType(type);
    button->setAutoRaise(true);
    button->setObjectName(name);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    return button;
}

}  // namespace

AssemblyPanel::AssemblyPanel(Session& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      kind_(new QComboBox),
      function_(new QComboBox),
      against_(new QComboBox),
      find_(new QLineEdit),
      fold_(new QToolButton),
      previous_(arrow(Qt::UpArrow, "code_previous", tr("Previous match (Shift+Return)"))),
      next_(arrow(Qt::DownArrow, "code_next", tr("Next match (Return)"))),
      found_count_(new ElidedLabel),
      state_(new QLabel),
      mix_(new QLabel),
      pages_(new QStackedWidget),
      table_(new QTableView),
      delegate_(new ListingDelegate(model_, this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 4, 4, 4);
    layout->setSpacing(4);
    makeBar();
    makeTable();
    state_->setObjectName("code_state");
    state_->setWordWrap(true);
    state_->setAlignment(Qt::AlignCenter);
    state_->setMargin(12);
    pages_->addWidget(table_);
    pages_->addWidget(state_);
    mix_->setObjectName("code_mix");
    mix_->setWordWrap(true);
    layout->addWidget(pages_, 1);
    auto* below = new QHBoxLayout;
    below->addWidget(mix_, 1);
    below->addWidget(against_, 0, Qt::AlignBottom);
    layout->addLayout(below);
    followSession();
    applyPalette();
    takeVariant();
}

AssemblyPanel::~AssemblyPanel() { session_.setWantsTexts(false); }

void AssemblyPanel::makeBar() {
    auto* bar = new QHBoxLayout;
    kind_->setObjectName("code_kind");
    kind_->setAccessibleName(tr("Kind of code"));
    kind_->setToolTip(tr("SASS is what a GPU runs, PTX what comes before it, TTGIR and TTIR what Triton makes first"));
    function_->setObjectName("code_function");
    function_->setAccessibleName(tr("Function"));
    function_->setToolTip(tr("Go to a function"));
    function_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    function_->setMinimumContentsLength(8);
    find_->setObjectName("code_find");
    find_->setAccessibleName(tr("Find in the code"));
    find_->setPlaceholderText(tr("Find"));
    find_->setClearButtonEnabled(true);
    find_->installEventFilter(this);
    find_->setMinimumWidth(find_->fontMetrics().averageCharWidth() * 10);
    found_count_->setObjectName("code_found");
    makeAgainst();
    for (QWidget* each : std::initializer_list<QWidget*>{kind_, function_, fold_}) bar->addWidget(each);
    bar->addWidget(find_, 1);
    bar->addWidget(found_count_);
    bar->addWidget(previous_);
    bar->addWidget(next_);
    static_cast<QVBoxLayout*>(layout())->addLayout(bar);
    connect(kind_, &QComboBox::activated, this, &AssemblyPanel::readText);
    connect(function_, &QComboBox::activated, this, [this](int index) {
        if (model_.code() == nullptr) return;
        goToLine(static_cast<std::size_t>(model_.code()->functions[static_cast<std::size_t>(index)]));
    });
    connect(find_, &QLineEdit::textChanged, this, [this] { look_turn_.start(); });
    connect(previous_, &QToolButton::clicked, this, [this] { step(-1); });
    connect(next_, &QToolButton::clicked, this, [this] { step(1); });
}

void AssemblyPanel::makeAgainst() {
    against_->setObjectName("code_against");
    against_->setAccessibleName(tr("Compared with"));
    against_->setToolTip(tr(
        "Show what differs from the code as it is now, while you go on, or from the selected round's, which is built "
        "for it: its Python file is executed"));
    against_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    against_->setMinimumContentsLength(8);
    against_->addItems({tr("Not compared"), tr("Against now"), QString()});
    nameRound();
    connect(against_, &QComboBox::activated, this, &AssemblyPanel::compareAgainst);
    connect(&session_, &Session::selectedRoundChanged, this, &AssemblyPanel::nameRound);
    connect(&session_.rounds(), &RoundStore::detailLoaded, this, [this](int number) {
        if (wanted_round_ == number) compareWithRound();
    });
    connect(&session_.engine(), &Engine::builtBeside, this, &AssemblyPanel::takeOther);
    connect(&session_.document(), &ProjectDocument::opened, this, [this] {
        against_->setCurrentIndex(alone);
        other_.reset();
        wanted_round_.reset();
    });
}

/// The round that is compared with stays the one that was chosen.
void AssemblyPanel::nameRound() {
    const std::optional<int> selected = session_.selectedRound();
    const bool is_compared = against_->currentIndex() == round && other_;
    if (!is_compared)
        against_->setItemText(round,
                              selected ? tr("Against round %1").arg(*selected) : tr("Against the selected round"));
}

void AssemblyPanel::compareAgainst(int choice) {
    other_.reset();
    wanted_round_.reset();
    leads_to_first_ = choice != alone;
    nameRound();
    if (choice == present) other_ = Other{tr("the code before"), built_, files_};
    if (choice == round) wanted_round_ = session_.selectedRound();
    if (choice == round && !wanted_round_) against_->setCurrentIndex(alone);
    if (wanted_round_) compareWithRound();
    readText();
}

/// Builds what the round was built of, on the device in use and for the dtype of the code that is shown. It was chosen,
/// so a Python file may be executed for it.
void AssemblyPanel::compareWithRound() {
    const int number = *wanted_round_;
    const std::shared_ptr<const RoundDetail> detail = session_.rounds().detail(number);
    if (const QString why = session_.rounds().detailProblem(number); !why.isEmpty()) {
        other_ = Other{tr("round %1").arg(number), {}, {}};
        return takeOther({.status = Status::unavailable, .reason = why.toStdString()});
    }
    if (!detail) return;  // until it is read
    const Variant& variant = detail->candidate.variant;
    BuildRequest request{.definition = detail->definition,
                         .implementation = detail->candidate,
                         .device = session_.device().toStdString(),
                         .texts = texts_of(code_kinds_of(variant.language)),
                         .trial = {},
                         .timeout_seconds = session_.settings().callTimeoutSeconds()};
    request.implementation.device = session_.deviceNumbers();
    request.dtype = dtype_;
    const std::vector<Case>& cases = session_.document().project().cases;
    if (request.device.starts_with("cuda") && !cases.empty()) request.trial = cases.front().sizes;
    other_ = Other{tr("round %1").arg(number), {}, files_of(detail->candidate)};
    session_.engine().buildBeside(std::move(request));
}

QString AssemblyPanel::whyNoOther() const {
    const BuildResult& built = other_->built;
    const Said why = built.status == Status::ok ? why_no_code(built) : built.reason;
    return why.empty() ? tr("it has no code of this kind") : inWords(why);
}

void AssemblyPanel::takeOther(const BuildResult& result) {
    if (!wanted_round_ || !other_) return;
    wanted_round_.reset();
    other_->built = result;
    readText();
}

void AssemblyPanel::makeTable() {
    table_->setObjectName("code");
    table_->setAccessibleName(tr("Code of the variant as it stands"));
    table_->setModel(&model_);
    table_->setItemDelegate(delegate_);
    makePlain(*table_);
    const QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    table_->setFont(font);
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setDefaultSectionSize(QFontMetrics(font).height() + 1);
    table_->verticalHeader()->setMinimumSectionSize(1);
    table_->horizontalHeader()->hide();
    table_->setColumnWidth(ListingModel::Line,
                           QFontMetrics(font).horizontalAdvance("99999") + 8 + 2 * ListingDelegate::fold_width);
    table_->horizontalHeader()->setStretchLastSection(true);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setVerticalScrollMode(QAbstractItemView::ScrollPerItem);
    auto* copy_action = new QAction(tr("Copy"), table_);
    copy_action->setShortcut(QKeySequence::Copy);
    copy_action->setShortcutContext(Qt::WidgetShortcut);
    connect(copy_action, &QAction::triggered, this, &AssemblyPanel::copy);
    table_->addAction(copy_action);
    makeFolding();
    table_->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(table_, &QTableView::activated, this, [this](const QModelIndex& index) {
        const ListingLine& line = model_.line(index.row());
        if (line.file >= 0) emit goToSource(toQt(model_.code()->fileOfRow(model_.lineOf(index.row()))), line.line, 0);
    });
    connect(table_->selectionModel(), &QItemSelectionModel::currentChanged, this, &AssemblyPanel::takeCurrentRow);
    connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] { mix_turn_.start(); });
}

/// The keys of trees: left folds what the row is in, right unfolds it.
void AssemblyPanel::makeFolding() {
    const auto add = [this](const char* name, const QString& text, const QKeySequence& keys,
                            const std::function<void()>& act) {
        auto* action = new QAction(text, table_);
        action->setObjectName(name);
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WidgetShortcut);
        connect(action, &QAction::triggered, this, act);
        table_->addAction(action);
        fold_->addAction(action);
    };
    const auto addKind = [&](const char* name, const QString& text, RegionKind kind) {
        add(name, text, {}, [this, kind] { changeFolding([kind](Folding& folding) { folding.foldAll(kind); }); });
    };
    add("fold", tr("Fold"), Qt::Key_Left, [this] { foldCurrent(); });
    add("unfold", tr("Unfold"), Qt::Key_Right, [this] {
        const QModelIndex index = table_->currentIndex();
        if (!index.isValid()) return;
        changeFolding([line = model_.lineOf(index.row())](Folding& folding) { folding.unfold(line); });
    });
    addKind("fold_functions", tr("Fold all functions"), RegionKind::function);
    addKind("fold_loops", tr("Fold all loops"), RegionKind::loop);
    addKind("fold_blocks", tr("Fold all blocks"), RegionKind::block);
    add("unfold_all", tr("Unfold all"), {}, [this] { changeFolding([](Folding& folding) { folding.unfoldAll(); }); });
    fold_->setObjectName("code_fold");
    fold_->setText(QStringLiteral("⋯"));
    fold_->setPopupMode(QToolButton::InstantPopup);
    fold_->setToolTip(tr("Fold functions, loops and blocks to a line each (Left, Right, or a click on an arrow)"));
    fold_->setAccessibleName(tr("Fold"));
    table_->viewport()->installEventFilter(this);
}

/// Folds or unfolds by a click on an arrow; whether there is one.
bool AssemblyPanel::takeClick(const QPoint& place) {
    const QModelIndex index = table_->indexAt(place);
    const bool is_arrow = index.isValid() && index.column() == ListingModel::Line &&
                          place.x() - table_->visualRect(index).left() <= ListingDelegate::fold_width;
    if (!is_arrow || !model_.folding().beginsRegion(model_.lineOf(index.row()))) return false;
    changeFolding([line = model_.lineOf(index.row())](Folding& folding) {
        if (!folding.unfold(line)) folding.foldAt(line);
    });
    return true;
}

/// Keeps the current line, what is selected and what is in sight.
void AssemblyPanel::changeFolding(const std::function<void(Folding&)>& change) {
    if (model_.code() == nullptr) return;
    std::vector<std::pair<std::size_t, std::size_t>> selected;
    for (const QItemSelectionRange& each : table_->selectionModel()->selection())
        selected.emplace_back(model_.lineOf(each.top()), model_.lineOf(each.bottom()));
    const QModelIndex current = table_->currentIndex();
    const bool has_current = current.isValid();
    const std::size_t line = has_current ? model_.lineOf(current.row()) : 0;
    const int top = table_->rowAt(0);
    const std::size_t first = top < 0 ? 0 : model_.lineOf(top);
    following_ = true;
    model_.fold(change);
    if (has_current)
        table_->selectionModel()->setCurrentIndex(model_.index(model_.rowOf(line), ListingModel::Code),
                                                  QItemSelectionModel::NoUpdate);
    QItemSelection kept;
    for (const auto& [from, to] : selected)
        kept.merge(
            {model_.index(model_.rowOf(from), ListingModel::Line), model_.index(model_.rowOf(to), ListingModel::Code)},
            QItemSelectionModel::Select);
    table_->selectionModel()->select(kept, QItemSelectionModel::Select);
    following_ = false;
    table_->doItemsLayout();  // until then it cannot be scrolled to rows that are new
    table_->verticalScrollBar()->setValue(model_.rowOf(first));
    mix_turn_.start();
}

void AssemblyPanel::foldCurrent() {
    const QModelIndex index = table_->currentIndex();
    if (!index.isValid()) return;
    changeFolding([line = model_.lineOf(index.row())](Folding& folding) { folding.fold(line); });
}

void AssemblyPanel::followSession() {
    connect(&session_.document(), &ProjectDocument::opened, this, &AssemblyPanel::takeVariant);
    connect(&session_, &Session::variantChanged, this, &AssemblyPanel::takeVariant);
    connect(&session_.document(), &ProjectDocument::changed, this, &AssemblyPanel::takeChange);
    connect(&session_.engine(), &Engine::devicesChanged, this, &AssemblyPanel::takeChange);
    connect(&session_.engine(), &Engine::buildFinished, this, &AssemblyPanel::takeOutcome);
    connect(&reading_, &QFutureWatcherBase::finished, this, &AssemblyPanel::takeCode);
    connect(&looking_, &QFutureWatcherBase::finished, this, &AssemblyPanel::takeFound);
    connect(&counting_, &QFutureWatcherBase::finished, this, &AssemblyPanel::showMix);
    for (QTimer* each : {&mix_turn_, &look_turn_}) each->setSingleShot(true);
    mix_turn_.setInterval(0);
    look_turn_.setInterval(80);
    connect(&mix_turn_, &QTimer::timeout, this, &AssemblyPanel::takeSelection);
    connect(&look_turn_, &QTimer::timeout, this, &AssemblyPanel::look);
}

void AssemblyPanel::setShown(bool shown) {
    if (shown == shown_) return;
    shown_ = shown;
    session_.setWantsTexts(shown);
    if (shown && BuildCard::obstacleOf(session_).isEmpty()) session_.buildInBackground();
    if (shown && model_.code() != nullptr) emit coloursChanged(lineColoursOf(*model_.code()));
    if (!shown) emit coloursChanged({});
}

void AssemblyPanel::build() { session_.build(); }

/// Offers the kinds of code that the variant has; the kind that was chosen stays where it can.
void AssemblyPanel::takeVariant() {
    const Variant* variant = session_.variant();
    const std::vector<CodeKind> kinds = variant == nullptr ? std::vector<CodeKind>() : code_kinds_of(variant->language);
    const QVariant before = kind_->currentData();
    kind_->clear();
    for (const CodeKind each : kinds) kind_->addItem(titleOfKind(each), static_cast<int>(each));
    kind_->setCurrentIndex(std::max(0, kind_->findData(before)));
    kind_->setEnabled(kinds.size() > 1);
    built_ = {};
    const QString obstacle = BuildCard::obstacleOf(session_);
    obstructed_ = !obstacle.isEmpty();
    if (variant == nullptr) return showNothing(tr("No variant is chosen"));
    if (kinds.empty())
        return showNothing(tr("The variant %1 has no code that can be shown: its language is %2")
                               .arg(toQt(variant->name), toQt(to_string(variant->language))));
    if (obstructed_) return showNothing(obstacle);
    const bool is_python_file = is_python(variant->language);
    showNothing(is_python_file ? tr("Not built yet. Ctrl+B builds it, which executes its file")
                               : tr("Not built yet. Ctrl+B builds it"));
}

/// What is not built is not shown either. The code of another configuration stays until the next build ends.
void AssemblyPanel::takeChange() {
    if (obstructed_ || !BuildCard::obstacleOf(session_).isEmpty()) takeVariant();
}

std::optional<CodeKind> AssemblyPanel::chosenKind() const {
    if (kind_->currentIndex() < 0) return std::nullopt;
    return static_cast<CodeKind>(kind_->currentData().toInt());
}

void AssemblyPanel::takeOutcome(const BuildOutcome& outcome) {
    const Variant* variant = session_.variant();
    const bool is_for_this =
        variant != nullptr && outcome.variant == variant->name && outcome.configuration == configuration_of(*variant);
    if (!is_for_this || obstructed_ || outcome.result.status == Status::cancelled || !shown_) return;
    built_ = outcome.result;
    dtype_ = outcome.dtype;
    files_ = session_.document().filesOf(*variant);
    readText();
}

void AssemblyPanel::readText() {
    const auto kind = chosenKind();
    if (!kind) return;
    if (built_.status != Status::ok) return showNothing(tr("Not built: %1").arg(inWords(built_.reason)));
    const auto text = built_.texts.find(std::string(to_string(*kind)));
    if (text == built_.texts.end()) {
        // A build that was begun before the panel was shown has no texts.
        const Said why = why_no_code(built_);
        return why.empty() ? takeVariant() : showNothing(inWords(why));
    }
    std::optional<CodeText> other;
    if (other_) {
        const auto of_other = other_->built.texts.find(text->first);
        if (of_other != other_->built.texts.end()) other = CodeText{of_other->second, other_->files};
    }
    reading_.setFuture(QtConcurrent::run(readCode, CodeText{text->second, files_}, *kind, other));
}

/// Keeps the place while a slider moves.
void AssemblyPanel::takeCode() {
    if (reading_.future().resultCount() == 0) return;  // nothing is to be shown any more
    const int place = table_->verticalScrollBar()->value();
    model_.setCode(reading_.result());
    mark(marked_file_, marked_line_);
    pages_->setCurrentWidget(table_);
    table_->verticalScrollBar()->setValue(place);
    fillFunctions();
    look();
    takeSelection();
    if (shown_) emit coloursChanged(lineColoursOf(*model_.code()));
}

void AssemblyPanel::showNothing(const QString& why) {
    reading_.setFuture({});
    model_.setCode(nullptr);
    mark({}, 0);
    state_->setText(breakable(why));
    pages_->setCurrentWidget(state_);
    mix_->clear();
    fillFunctions();
    look();
    emit coloursChanged({});
}

void AssemblyPanel::fillFunctions() {
    function_->clear();
    constexpr std::size_t most = 500;  // more are no list to choose from
    QStringList names;
    if (model_.code() != nullptr) {
        const std::vector<ListingLine>& lines = model_.code()->listing.lines;
        for (const int line : model_.code()->functions | std::views::take(most))
            names << toQt(lines[static_cast<std::size_t>(line)].text).left(120);
    }
    function_->addItems(names);
    function_->setEnabled(function_->count() > 1);
}

/// Shows what comes from the source line at the cursor. Its rows stand out; they may be many and far apart, which a
/// selection is not made for.
void AssemblyPanel::followSource(const QString& file, int line) {
    if (model_.code() == nullptr) return;
    mark(file.toStdString(), line);
    const std::vector<std::size_t> lines = model_.code()->rowsOf(marked_file_, marked_line_);
    following_ = true;
    table_->clearSelection();
    const QModelIndex first =
        lines.empty() ? QModelIndex() : model_.index(model_.rowOf(lines.front()), ListingModel::Code);
    table_->selectionModel()->setCurrentIndex(first, QItemSelectionModel::NoUpdate);
    const bool is_in_sight = table_->viewport()->rect().contains(table_->visualRect(first));
    if (first.isValid() && !is_in_sight) table_->scrollTo(first, QAbstractItemView::PositionAtCenter);
    following_ = false;
    mix_turn_.start();
}

void AssemblyPanel::mark(const std::string& file, int line) {
    marked_file_ = file;
    marked_line_ = line;
    delegate_->setMarked(model_.code() == nullptr ? std::vector<std::size_t>() : model_.code()->rowsOf(file, line));
    table_->viewport()->update();
}

void AssemblyPanel::takeCurrentRow() {
    const QModelIndex index = table_->currentIndex();
    if (following_ || !index.isValid() || model_.code() == nullptr) return;
    const ListingLine& line = model_.line(index.row());
    mark(model_.code()->fileOfRow(model_.lineOf(index.row())), line.line);
    if (line.file >= 0) emit lineChosen(toQt(marked_file_), line.line);
}

/// Ascending, with those that are folded into a selected row.
std::vector<std::size_t> AssemblyPanel::selectedLines() const {
    std::vector<std::size_t> lines;
    for (const QItemSelectionRange& each : table_->selectionModel()->selection()) {
        for (std::size_t line = model_.lineOf(each.top()); line < model_.linesOf(each.bottom()).second; ++line)
            lines.push_back(line);
    }
    std::ranges::sort(lines);
    return lines;
}

/// Counts the selected rows; where there are no two of them, those of the source line that stands out; else the whole.
void AssemblyPanel::takeSelection() {
    const SharedCode code = model_.code();
    if (code == nullptr) return;
    std::vector<std::size_t> rows = selectedLines();
    counted_ = Counted::selection;
    if (rows.size() < 2) {
        rows = code->rowsOf(marked_file_, marked_line_);
        counted_ = rows.empty() ? Counted::all : Counted::line;
    }
    if (rows.empty()) {
        rows.resize(code->listing.lines.size());
        std::iota(rows.begin(), rows.end(), std::size_t{0});
        if (!code->marks.empty()) std::erase_if(rows, [&code](std::size_t row) { return code->marks[row] == '-'; });
    }
    counting_.setFuture(QtConcurrent::run([code, rows = std::move(rows)] { return mix_of(code->listing, rows); }));
}

void AssemblyPanel::showMix() {
    if (model_.code() == nullptr || counting_.isCanceled()) return;
    const QString words = mixInWords(counting_.result(), model_.code()->listing.kind);
    const QString of = counted_ == Counted::all    ? tr("All: %1").arg(words)
                       : counted_ == Counted::line ? tr("Line %1: %2").arg(marked_line_).arg(words)
                                                   : tr("Selected: %1").arg(words);
    const CodeView& code = *model_.code();
    QString text = code.listing.is_cut ? of + tr("; the rest of the code is left out") : of;
    if (other_ && !code.marks.empty())
        text += '\n' + tr("Against %1: %2 lines removed, %3 added; %4 instructions before")
                           .arg(other_->name)
                           .arg(code.removed)
                           .arg(code.added)
                           .arg(code.before.instructions);
    else if (other_ && !wanted_round_)
        text += '\n' + tr("Nothing to compare with in %1: %2").arg(other_->name, whyNoOther());
    else if (wanted_round_) text += '\n' + tr("Building round %1").arg(*wanted_round_);
    mix_->setText(text);
}

/// Unfolds what hides it.
void AssemblyPanel::goToLine(std::size_t line) {
    if (model_.lineOf(model_.rowOf(line)) != line) changeFolding([line](Folding& folding) { folding.reveal(line); });
    const QModelIndex index = model_.index(model_.rowOf(line), ListingModel::Code);
    table_->selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    table_->scrollTo(index, QAbstractItemView::PositionAtCenter);
}

void AssemblyPanel::look() {
    delegate_->setWanted(find_->text());
    table_->viewport()->update();
    looking_.setFuture(QtConcurrent::run([code = model_.code(), text = find_->text()] {
        return text.isEmpty() && code != nullptr ? differencesOf(*code) : rowsWith(code, text);
    }));
}

void AssemblyPanel::takeFound() {
    found_ = looking_.result();
    const bool any = !found_.empty();
    const bool is_compared = model_.code() != nullptr && !model_.code()->marks.empty();
    const int count = static_cast<int>(found_.size());
    found_count_->setText(find_->text().isEmpty() ? (is_compared ? tr("%Ln difference(s)", nullptr, count) : QString())
                          : any                   ? tr("%Ln row(s)", nullptr, static_cast<int>(found_.size()))
                                                  : tr("None"));
    previous_->setEnabled(any);
    next_->setEnabled(any);
    if (!leads_to_first_ || !any || !find_->text().isEmpty()) return;
    leads_to_first_ = false;
    const int first = model_.rowOf(static_cast<std::size_t>(found_.front()));
    table_->scrollTo(model_.index(first, ListingModel::Code), QAbstractItemView::PositionAtCenter);
}

/// To the next row that was found, around the end.
void AssemblyPanel::step(int by) {
    if (found_.empty() || model_.code() == nullptr) return;
    const QModelIndex current = table_->currentIndex();
    const int line = current.isValid() ? static_cast<int>(model_.lineOf(current.row())) : -1;
    auto at = by > 0 ? std::ranges::upper_bound(found_, line) : std::ranges::lower_bound(found_, line);
    if (by > 0 && at == found_.end()) at = found_.begin();
    if (by < 0) at = at == found_.begin() ? found_.end() - 1 : at - 1;
    const auto wanted = static_cast<std::size_t>(*at);
    if (wanted < model_.code()->listing.lines.size()) goToLine(wanted);
}

void AssemblyPanel::copy() {
    std::string text;
    for (const std::size_t row : selectedLines()) text += model_.code()->listing.lines[row].text + '\n';
    if (!text.empty()) QGuiApplication::clipboard()->setText(toQt(text));
}

bool AssemblyPanel::eventFilter(QObject* watched, QEvent* event) {
    const bool is_click = event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseButtonDblClick;
    if (watched == table_->viewport() && is_click && takeClick(static_cast<QMouseEvent*>(event)->pos())) return true;
    if (watched != find_ || event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() != Qt::Key_Return && key->key() != Qt::Key_Enter) return QWidget::eventFilter(watched, event);
    step(key->modifiers() & Qt::ShiftModifier ? -1 : 1);
    return true;
}

void AssemblyPanel::applyPalette() {
    QPalette muted = palette();
    muted.setColor(QPalette::WindowText, coloursOf(palette()).muted);
    for (QLabel* each : {found_count_, state_, mix_}) each->setPalette(muted);
}

void AssemblyPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange || table_ == nullptr) return;
    applyPalette();
    table_->viewport()->update();
}

}  // namespace kernelgen::studio
