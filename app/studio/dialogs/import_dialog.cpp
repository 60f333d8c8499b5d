// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/dialogs/import_dialog.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTextBrowser>
#include <QVBoxLayout>
#include <QtConcurrentRun>
#include <algorithm>
#include <initializer_list>
#include <optional>
#include <utility>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/text.h"
#include "app/studio/dialogs/import_page.h"
#include "app/studio/rounds/html_page.h"
#include "app/studio/theme/theme.h"

namespace kernelgen::studio {

namespace {

QWidget* withButtons(QLineEdit* field, std::initializer_list<QPushButton*> buttons) {
    auto* all = new QWidget;
    auto* line = new QHBoxLayout(all);
    line->setContentsMargins({});
    line->addWidget(field, 1);
    for (QPushButton* button : buttons) {
        button->setAutoDefault(false);
        line->addWidget(button);
    }
    return all;
}

void name(QLineEdit* field, const QString& object, const QString& accessible, const QString& placeholder) {
    field->setObjectName(object);
    field->setAccessibleName(accessible);
    field->setPlaceholderText(placeholder);
}

}  // namespace

ImportDialog::ImportDialog(const Engine& engine, const QString& parentOfProjects, QWidget* parent)
    : QDialog(parent),
      engine_(engine),
      parent_of_projects_(parentOfProjects),
      source_(new QLineEdit),
      solution_(new QLineEdit),
      reference_(new QLineEdit),
      entry_(new QLineEdit),
      target_(new QLineEdit),
      page_(new QTextBrowser),
      problem_(new QLabel) {
    setWindowTitle(tr("Import files of my own"));
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(makeFields());
    layout->addWidget(page_, 1);
    layout->addWidget(problem_);
    page_->setObjectName("import_page");
    page_->setAccessibleName(tr("What was found"));
    page_->setOpenLinks(false);
    problem_->setObjectName("import_problem");
    problem_->setWordWrap(true);
    QPalette red = problem_->palette();
    red.setColor(QPalette::WindowText, coloursOf(palette()).bad);
    problem_->setPalette(red);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    import_ = buttons->button(QDialogButtonBox::Ok);
    import_->setText(tr("Import"));
    operators_ = buttons->addButton(tr("Its operators…"), QDialogButtonBox::ActionRole);
    operators_->setObjectName("import_operators");
    operators_->setToolTip(tr("What each call of an operator takes in this model, and projects of such calls"));
    connect(operators_, &QPushButton::clicked, this, [this] { done(operators_wanted); });
    connect(buttons, &QDialogButtonBox::accepted, this, &ImportDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &ImportDialog::reject);
    connect(source_, &QLineEdit::editingFinished, this, &ImportDialog::read);
    connect(solution_, &QLineEdit::editingFinished, this, &ImportDialog::read);
    connect(target_, &QLineEdit::textEdited, this, [this] {
        own_target_ = true;
        updateState();
    });
    connect(&reading_, &QFutureWatcherBase::finished, this, &ImportDialog::takeRead);
    connect(&engine_, &Engine::runningChanged, this, &ImportDialog::updateState);
    layout->addWidget(buttons);
    resize(700, 620);
    read();
}

/// The process of test calls is ended: nobody would see what they tell.
ImportDialog::~ImportDialog() { stop_.request_stop(); }

QWidget* ImportDialog::makeFields() {
    auto* fields = new QWidget;
    form_ = new QFormLayout(fields);
    form_->setContentsMargins({});
    addSource(*form_);
    addPythonFile(*form_);
    addTarget(*form_);
    return fields;
}

void ImportDialog::addSource(QFormLayout& form) {
    auto* folder = new QPushButton(tr("Folder…"));
    auto* file = new QPushButton(tr("File…"));
    name(source_, "import_source", tr("Folder or file"), tr("a folder, or a .py or T1 .json file"));
    form.addRow(tr("Folder or file"), withButtons(source_, {folder, file}));
    connect(folder, &QPushButton::clicked, this, &ImportDialog::chooseFolder);
    connect(file, &QPushButton::clicked, this, &ImportDialog::chooseFile);
}

/// What a Python file may need beside itself: a solution, or the run of its tests with a reference.
void ImportDialog::addPythonFile(QFormLayout& form) {
    auto* choose = new QPushButton(tr("Choose…"));
    choose->setAccessibleName(tr("Choose the solution"));
    run_tests_ = new QPushButton(tr("Run its tests"));
    run_tests_->setObjectName("import_run_tests");
    name(solution_, "import_solution", tr("Solution"), tr("for a file with a reference: the file that is judged"));
    name(reference_, "import_reference", tr("Reference"), tr("for a file with tests: lambda x, w: torch.relu(x @ w)"));
    name(entry_, "import_entry", tr("Function to judge"), tr("the last one called that launches a kernel"));
    for (const auto& [label, field] : {std::pair{tr("Solution"), withButtons(solution_, {choose})},
                                       {tr("Reference"), withButtons(reference_, {run_tests_})},
                                       {tr("Function to judge"), withButtons(entry_, {})}}) {
        form.addRow(label, field);
        of_python_file_ << field;
    }
    connect(choose, &QPushButton::clicked, this, &ImportDialog::chooseSolution);
    connect(run_tests_, &QPushButton::clicked, this, &ImportDialog::runTests);
    connect(reference_, &QLineEdit::returnPressed, this, &ImportDialog::runTests);
}

void ImportDialog::addTarget(QFormLayout& form) {
    auto* choose = new QPushButton(tr("Choose…"));
    choose->setAccessibleName(tr("Choose the folder of the project"));
    name(target_, "import_target", tr("New project"), {});
    form.addRow(tr("New project"), withButtons(target_, {choose}));
    connect(choose, &QPushButton::clicked, this, &ImportDialog::chooseTarget);
}

QString ImportDialog::target() const { return QDir::cleanPath(target_->text().trimmed()); }

QString ImportDialog::folder() const { return first_project_.isEmpty() ? target() : first_project_; }

QString ImportDialog::source() const { return source_->text().trimmed(); }

bool ImportDialog::isPythonFile() const { return source().endsWith(".py"); }

void ImportDialog::setSource(const QString& path) {
    source_->setText(path);
    read();
}

void ImportDialog::chooseFile() {
    const QString chosen =
        QFileDialog::getOpenFileName(this, tr("File to import"), source(), tr("Python and T1 files (*.py *.json)"));
    if (!chosen.isEmpty()) setSource(chosen);
}

void ImportDialog::chooseSolution() {
    const QString chosen = QFileDialog::getOpenFileName(this, tr("Solution"), source(),
                                                        tr("Python, C++ and CUDA files (*.py *.cpp *.cc *.cxx *.cu)"));
    if (chosen.isEmpty()) return;
    solution_->setText(chosen);
    read();
}

void ImportDialog::chooseFolder() {
    const QString start = source().isEmpty() ? QDir::homePath() : source();
    const QString chosen = QFileDialog::getExistingDirectory(this, tr("Folder of the Python files"), start);
    if (!chosen.isEmpty()) setSource(chosen);
}

void ImportDialog::chooseTarget() {
    const QString chosen = QFileDialog::getSaveFileName(this, tr("New project: a new folder"), target(), {}, nullptr,
                                                        QFileDialog::ShowDirsOnly);
    if (chosen.isEmpty()) return;
    own_target_ = true;
    target_->setText(chosen);
    updateState();
}

void ImportDialog::read() {
    const QString solution = isPythonFile() ? solution_->text().trimmed() : QString();
    const QString asked = source() + "\n" + solution;
    if (asked == asked_) return;
    asked_ = asked;
    for (QWidget* field : of_python_file_) form_->setRowVisible(field, isPythonFile());
    if (!source().isEmpty()) {
        start({source().toStdString(), solution.toStdString(), {}, std::nullopt, {}}, tr("Reading %1").arg(source()));
        return;
    }
    HtmlPage page(palette());
    page.paragraph(
        tr("Choose a folder that holds an operator's files: its Triton kernel with the wrapper, the "
           "PyTorch baseline, and the accuracy and performance tests, as far as there are any."));
    page.paragraph(
        tr("Or a folder of problems, such as those of KernelBench: each becomes a project in a folder of projects."));
    page.paragraph(
        tr("Or one file: a Python file with a reference and its inputs, such as a problem of KernelBench; a Python "
           "file with Triton kernels and test calls; a T1 file of a CUDA kernel."));
    page.muted(tr("The files are read, never executed, until you run a file's tests. They are left as they are."));
    page_->setHtml(page.take());
    updateState();
}

void ImportDialog::runTests() {
    if (!run_tests_->isEnabled()) return;
    const Trace trace{.reference = reference_->text().trimmed().toStdString(),
                      .entry = entry_->text().trimmed().toStdString()};
    start({source().toStdString(), {}, {}, trace, {}}, tr("Running the tests of %1").arg(source()));
}

void ImportDialog::start(ImportSource source, const QString& doing) {
    stop_.request_stop();  // what ran before: nobody would see what it tells
    stop_ = {};
    runs_tests_ = source.trace.has_value();
    if (runs_tests_) source.trace->stop = stop_.get_token();
    set_.reset();
    files_.clear();
    first_project_.clear();
    HtmlPage page(palette());
    page.muted(doing);
    page_->setHtml(page.take());
    reading_.setFuture(QtConcurrent::run(
        [source = std::move(source)]() -> Reading { return std::make_shared<const Read>(readAll(source)); }));
    updateState();
}

ImportDialog::Read ImportDialog::readAll(const ImportSource& source) {
    Read read{read_source(source), {}};
    if (read.set) return read;
    std::vector<ImportedFile> files = read_folder(source.path);
    const bool has_problem = std::ranges::any_of(files, [](const ImportedFile& each) { return each.set.has_value(); });
    if (has_problem) read.files = std::move(files);
    return read;
}

void ImportDialog::takeRead() {
    const Reading read = reading_.result();
    if (read->set) {
        set_ = *read->set;
        page_->setHtml(importPage(*set_, palette()));
        suggestTarget(toQt(set_->project.definition.name));
    } else if (!read->files.empty()) {
        files_ = read->files;
        page_->setHtml(importFolderPage(files_, palette()));
        suggestTarget(QFileInfo(QDir::cleanPath(source())).fileName());
    } else {
        const QString advice =
            tr("If the file has test calls of its own, say what its function computes in one line of "
               "PyTorch as the reference, and run its tests.");
        page_->setHtml(
            importProblemPage(read->set.error(), palette(), isPythonFile() && !runs_tests_ ? advice : QString()));
        if (!own_target_) target_->clear();
    }
    updateState();
}

/// A folder that is not there yet.
void ImportDialog::suggestTarget(const QString& name) {
    if (own_target_) return;
    target_->setText(freeFolder(parent_of_projects_, name));
}

void ImportDialog::updateState() {
    const bool taken = QFileInfo::exists(target() + "/project.json"), is_read = set_ || !files_.empty();
    problem_->setText(is_read && taken ? tr("That folder holds a project already: choose another.") : QString());
    problem_->setVisible(!problem_->text().isEmpty());
    operators_->setVisible(set_ && has_file(set_->project.definition.family) && !runs_tests_);
    run_tests_->setEnabled(isPythonFile() && !reading_.isRunning() && !engine_.isRunning());
    run_tests_->setToolTip(engine_.isRunning()
                               ? tr("A run is under way, whose times the tests would disturb: wait for its end")
                               : tr("Executes the file's test calls, in a process with limits: what its function is "
                                    "called with becomes the cases"));
    import_->setEnabled(is_read && !target_->text().trimmed().isEmpty() && !taken);
}

/// Writes the projects of a folder's problems, and notes the first.
Result<void> ImportDialog::writeFiles() {
    first_project_.clear();
    for (ImportedFile& each : files_) {
        if (!each.set) continue;
        const QString made = target() + "/" + toQt(each.name());
        if (Result<void> written = write_imported(*each.set, made.toStdString()); !written) return written;
        if (first_project_.isEmpty()) first_project_ = made;
    }
    return {};
}

void ImportDialog::accept() {
    if (!set_ && files_.empty()) return;
    const Result<void> written = set_ ? write_imported(*set_, target().toStdString()) : writeFiles();
    if (written) return QDialog::accept();
    problem_->setText(breakable(inWords(written.error().message)));
    problem_->show();
}

}  // namespace kernelgen::studio
