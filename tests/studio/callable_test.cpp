// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QLineEdit>
#include <QTest>

#include "app/studio/operator/definition_form.h"
#include "app/studio/operator/section.h"
#include "app/studio/window/main_window.h"
#include "core/base/file.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/registry.h"

namespace kernelgen::studio {

using testing::Studio;

/// A project whose operator is a Python file.
class CallableTest : public QObject {
    Q_OBJECT

private slots:
    void opensInTheWindow();
    void hasTheFieldsThatMakeSense();
};

namespace {

constexpr const char* project_text =
    R"({"schema": "kernelgen.project/1", "operator": {"name": "relu", "family": "callable", "definition": "definition.py"},
"cases": [{"name": "default", "dtype": "f32"}], "performance": {"baseline": "reference"}, "variants": [
{"name": "solution", "language": "torch", "source": "solution.py", "entry": "ModelNew"},
{"name": "reference", "language": "torch", "source": "definition.py", "entry": "Model"}]})";

void write(const QString& file, const char* text) { QVERIFY(write_file_atomic(file.toStdString(), text).has_value()); }

/// Writes the project, and opens it.
void openCallable(Studio& studio) {
    const QString folder = studio.folder();
    QVERIFY(QDir().mkpath(folder));
    write(folder + "/project.json", project_text);
    write(folder + "/definition.py", "class Model:\n    pass\n");
    write(folder + "/solution.py", "class ModelNew:\n    pass\n");
    QVERIFY(studio.session().open(folder).empty());
}

}  // namespace

void CallableTest::opensInTheWindow() {
    Studio studio("");
    openCallable(studio);
    MainWindow window(studio.session());
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    QVERIFY(studio.session().document().isOpen());
    QVERIFY(studio.session().document().diagnostics().empty());
}

void CallableTest::hasTheFieldsThatMakeSense() {
    Studio studio("");
    openCallable(studio);
    DefinitionForm form(studio.session().document(), DefinitionForm::Extent::whole);
    form.show();
    const auto shown = [&](const QString& name) {
        for (const QLineEdit* each : form.findChildren<QLineEdit*>()) {
            if (each->accessibleName() == name) return each->isVisibleTo(&form);
        }
        return false;
    };
    QVERIFY(shown("Definition"));
    QVERIFY(shown("Name"));
}

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::CallableTest)
#include "callable_test.moc"
