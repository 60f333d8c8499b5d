// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QTextCursor>

#include "app/studio/document/literals.h"
#include "app/studio/tunables/tunables_panel.h"
#include "core/base/text.h"
#include "core/generate/generate.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/registry.h"

namespace kernelgen::studio {

using testing::Studio;
using testing::waitUntil;

namespace {

struct OpenPython {
    OpenPython() {
        testing::addPythonVariants(studio.folder());
        studio.open();
        studio.session().setVariant("triton");
        waitUntil([&] { return !document().literals().of(variant()).empty(); });
    }
    ProjectDocument& document() { return studio.session().document(); }
    const Variant& variant() { return *document().project().find_variant("triton"); }
    QString text() { return QString::fromStdString(document().source("bias_add_triton.py")->text()); }
    std::int64_t value(const std::string& name) { return configuration_of(variant()).at(name); }

    Studio studio;
};

}  // namespace

class PythonTunablesTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void aTunableIsSetInTheSourceToo();
    void aDragIsOneStepThatUndoTakesBack();
    void anEditAfterADragIsAStepOfItsOwn();
    void aSourceAsGeneratedStaysSo();
    void anEditedLiteralIsSaidAndTaken();
    void withoutLiteralsTheProjectAloneChanges();
};

void PythonTunablesTest::initTestCase() {
    if (!testing::hasPython()) QSKIP("no Python interpreter finds the literals: python3 is not on PATH");
}

void PythonTunablesTest::aTunableIsSetInTheSourceToo() {
    OpenPython open;
    open.document().setTunable("triton", "BLOCK_M", 64);
    open.document().setTunable("triton", "num_warps", 8);
    QVERIFY(open.text().contains("    BLOCK_M = 64\n    BLOCK_N = 64\n"));
    QVERIFY(open.text().contains("num_warps=8)"));
    QCOMPARE(open.value("BLOCK_M"), 64);
}

void PythonTunablesTest::aDragIsOneStepThatUndoTakesBack() {
    OpenPython open;
    const QString before = open.text();
    for (const int value : {64, 128, 32, 128}) open.document().setTunable("triton", "BLOCK_N", value);
    QVERIFY(open.text().contains("BLOCK_N = 128\n"));
    QCOMPARE(open.document().undoStack().count(), 1);
    open.document().undoStack().undo();
    QCOMPARE(open.text(), before);
    QCOMPARE(open.value("BLOCK_N"), 64);
    QVERIFY(!open.document().isModified());
    open.document().undoStack().redo();
    QVERIFY(open.text().contains("BLOCK_N = 128\n"));
    QCOMPARE(open.value("BLOCK_N"), 128);
}

void PythonTunablesTest::anEditAfterADragIsAStepOfItsOwn() {
    OpenPython open;
    open.document().setTunable("triton", "BLOCK_M", 16);
    QTextCursor(&open.document().source("bias_add_triton.py")->document()).insertText("# why\n");
    QCOMPARE(open.document().undoStack().count(), 2);
    open.document().undoStack().undo();
    QVERIFY(!open.text().startsWith("# why"));
    QVERIFY(open.text().contains("BLOCK_M = 16\n"));
    open.document().undoStack().undo();
    QVERIFY(open.text().contains("BLOCK_M = 32\n"));
}

void PythonTunablesTest::aSourceAsGeneratedStaysSo() {
    OpenPython open;
    open.document().edit("as generated", [&](Project& project) {
        project.variants[project.variants.size() - 2].generated = hash_hex(open.text().toStdString());
    });
    QVERIFY(is_unedited(open.variant(), open.text().toStdString()));
    open.document().setTunable("triton", "BLOCK_M", 64);
    QVERIFY(is_unedited(open.variant(), open.text().toStdString()));
    open.document().undoStack().undo();
    QVERIFY(is_unedited(open.variant(), open.text().toStdString()));
}

void PythonTunablesTest::anEditedLiteralIsSaidAndTaken() {
    OpenPython open;
    TunablesPanel panel(open.studio.session());
    panel.show();
    const auto* said = panel.findChild<QLabel*>("literals");
    QVERIFY(said->isHidden());
    QTextCursor literal = open.document().source("bias_add_triton.py")->document().find("BLOCK_M = 32");
    literal.insertText("BLOCK_M = 16");
    QVERIFY(waitUntil([&] { return said->text().contains("BLOCK_M = 16"); }));
    QCOMPARE(open.value("BLOCK_M"), 32);
    emit const_cast<QLabel*>(said)->linkActivated("take");
    QCOMPARE(open.value("BLOCK_M"), 16);
    QVERIFY(said->isHidden());
}

void PythonTunablesTest::withoutLiteralsTheProjectAloneChanges() {
    Studio studio;
    testing::addPythonVariants(studio.folder());
    studio.open();
    const std::string before = studio.session().document().source("bias_add_triton.py")->text();
    studio.session().document().setTunable("triton", "BLOCK_M", 64);  // before Python could answer
    QCOMPARE(studio.session().document().source("bias_add_triton.py")->text(), before);
    QCOMPARE(configuration_of(*studio.session().document().project().find_variant("triton")).at("BLOCK_M"), 64);
}

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::PythonTunablesTest)
#include "python_tunables_test.moc"
