// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLabel>
#include <QPushButton>
#include <QTabWidget>
#include <QTest>
#include <algorithm>

#include "app/studio/start/windows.h"
#include "app/studio/window/tour_card.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/registry.h"

namespace kernelgen::studio {

using testing::child;
using testing::Studio;
using testing::waitUntil;

class TourTest : public QObject {
    Q_OBJECT

private slots:
    void itDoesTheRealThingInFiveSteps();
    void whatThePersonDoesCounts();
    void itCanBeLeftAtAnyTime();
    void theKeyboardAloneLeadsThroughIt();
    void whatCannotBeMovedIsPassedOver();
    void itIsOfferedUntilAProjectWasOpened();
    void anotherLanguageOffersItNotAgain();
};

namespace {

struct Touring {
    Studio studio;
    QTemporaryDir home;
    std::unique_ptr<MainWindow> window;
    TourCard* card;
    QPushButton *act, *next;

    Touring() {
        qputenv("HOME", home.path().toUtf8());  // of the copy of a sample
        studio.session().applyWorkerSettings();
        window = std::make_unique<MainWindow>(studio.session());
        window->resize(1280, 800);
        window->show();
        window->takeTour();
        card = child<TourCard>(*window, "tour_card");
        act = child<QPushButton>(*card, "tour_act");
        next = child<QPushButton>(*card, "tour_next");
    }
    bool goOn() {
        if (!waitUntil([this] { return next->isEnabled(); }, 300000)) return false;
        next->click();
        return true;
    }
};

}  // namespace

void TourTest::itDoesTheRealThingInFiveSteps() {
    Touring tour;
    QVERIFY(!tour.next->isEnabled());
    tour.act->click();
    QVERIFY(waitUntil([&] { return tour.next->isEnabled(); }));
    // The sample's cases take long.
    tour.studio.session().document().edit("small", [](Project& project) {
        project.cases = {{.name = "small", .dtype = DType::f32, .sizes = {{"P", 96}, {"D", 96}}}};
        project.performance.budget_seconds = 0.2;
        project.performance.baseline = {{"", "naive"}};
    });
    QVERIFY(tour.goOn());
    QVERIFY(!tour.next->isEnabled());
    tour.act->click();
    QVERIFY(tour.goOn());
    QVERIFY(!tour.next->isEnabled());
    tour.act->click();
    QVERIFY(tour.goOn());
    QCOMPARE(tour.studio.session().rounds().history().rounds.size(), std::size_t(1));
    tour.act->click();
    QVERIFY(tour.goOn());
    tour.act->click();
    QVERIFY(tour.goOn());
    QVERIFY(QFile::exists(tour.studio.session().document().folder() + "/optimization_log.md"));
    QVERIFY(tour.card->isHidden());
}

void TourTest::whatThePersonDoesCounts() {
    Touring tour;
    tour.act->click();
    QVERIFY(tour.goOn());
    Session& session = tour.studio.session();
    const Variant& variant = *session.variant();
    const Tunable& first = variant.tunables.front();
    session.document().setTunable(variant.name, first.name,
                                  first.value == first.values.front() ? first.values.back() : first.values.front());
    QVERIFY(waitUntil([&] { return tour.next->isEnabled(); }));
    QVERIFY(tour.act->isHidden());
    QCOMPARE(child<QLabel>(*tour.card, "tour_state")->text(), QString("✓ Done"));
}

void TourTest::itCanBeLeftAtAnyTime() {
    Touring tour;
    tour.act->click();
    QVERIFY(tour.goOn());
    QTest::keyClick(tour.card, Qt::Key_Escape);
    QVERIFY(tour.card->isHidden());
    QVERIFY(child<Spotlight>(*tour.window, "tour_spotlight")->isHidden());
    QVERIFY(tour.studio.session().document().isOpen());  // what was done stays
    tour.window->takeTour();
    QVERIFY(tour.card->isVisible());
    tour.window.reset();  // in the middle of it
}

void TourTest::itIsOfferedUntilAProjectWasOpened() {
    Studio studio;
    {
        Windows first(studio.session());
        auto* card = child<TourCard>(first.window(), "tour_card");
        QVERIFY(card->isVisible());
        child<QPushButton>(*card, "tour_leave")->click();
    }
    studio.open();
    Windows second(studio.session());
    QVERIFY(child<TourCard>(second.window(), "tour_card")->isHidden());
}

void TourTest::theKeyboardAloneLeadsThroughIt() {
    Touring tour;
    const auto press = [&](Qt::Key key) { QTest::keyClick(tour.window->focusWidget(), key); };
    QVERIFY(tour.card->hasFocus() || tour.card->isAncestorOf(tour.window->focusWidget()));
    QVERIFY(waitUntil([&] { return tour.window->focusWidget() == tour.act; }));
    press(Qt::Key_Return);
    QVERIFY(waitUntil([&] { return tour.window->focusWidget() == tour.next; }));
    QTest::qWait(500);  // the panels are shown one after the other
    QCOMPARE(tour.window->focusWidget(), tour.next);
    press(Qt::Key_Return);
    QVERIFY(waitUntil([&] { return tour.window->focusWidget() == tour.act; }));
    press(Qt::Key_Return);
    QVERIFY(waitUntil([&] { return tour.window->focusWidget() == tour.next; }));
    // Esc leaves it from other parts of the window, too.
    child<QTabWidget>(*tour.window, "sources")->currentWidget()->setFocus();
    QVERIFY(tour.window->focusWidget() != tour.next);
    press(Qt::Key_Escape);
    QVERIFY(tour.card->isHidden());
}

void TourTest::whatCannotBeMovedIsPassedOver() {
    Touring tour;
    tour.act->click();
    QVERIFY(waitUntil([&] { return tour.next->isEnabled(); }));
    Session& session = tour.studio.session();
    const auto hold = [&](std::size_t values) {
        session.document().edit("values", [&](Project& project) {
            for (Variant& variant : project.variants) {
                for (Tunable& each : variant.tunables) {
                    each.values.resize(std::min(values, each.values.size()));
                    each.value = each.values.back();
                }
            }
        });
    };
    hold(2);
    tour.next->click();
    const Configuration before = configuration_of(*session.variant());
    tour.act->click();
    QVERIFY(configuration_of(*session.variant()) != before);  // though each stood at its largest value
    tour.window->takeTour();
    child<QPushButton>(*tour.card, "tour_leave")->click();
    hold(1);
    tour.window->takeTour();
    tour.next->click();
    QVERIFY(tour.next->isEnabled());
    QVERIFY(tour.act->isHidden());
    QVERIFY(!child<QLabel>(*tour.card, "tour_state")->text().isEmpty());
}

void TourTest::anotherLanguageOffersItNotAgain() {
    Studio studio;
    Windows windows(studio.session());
    const auto isShownAnew = [&] {
        emit windows.window().languageChosen();
        QCoreApplication::sendPostedEvents(&windows);  // which makes the window anew
        return child<TourCard>(windows.window(), "tour_card")->isVisible();
    };
    QVERIFY(isShownAnew());  // it goes on
    child<QPushButton>(*child<TourCard>(windows.window(), "tour_card"), "tour_leave")->click();
    QVERIFY(!isShownAnew());
}

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::TourTest)
#include "tour_test.moc"
