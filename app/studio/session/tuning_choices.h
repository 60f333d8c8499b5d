// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QUndoStack>
#include <map>
#include <set>
#include <string>

#include "core/tune/tuning.h"

namespace kernelgen::studio {

/// The entries of the Tuning tab's fields. They outlive a window that is made again in another language.
struct TuningFields {
    QString budget = "5m", objective = "time";
    int most = 0, seed = 0, strategy = 0;
    QString chosen_case;  ///< "": none was chosen
    bool all_cases = false;
};

/// Which values of the tunables take part in the next tuning: all, unless the user leaves some out, which is a step on
/// the undo stack. Lives in the GUI thread, as long as the project is open.
class TuningChoices : public QObject {
    Q_OBJECT

public:
    explicit TuningChoices(QUndoStack& undo) : undo_(undo) {}

    bool takesPart(const Variant& variant, const std::string& tunable, std::int64_t value) const;
    /// Has a value take part or not. At least one value of a tunable takes part: the last one cannot be left out.
    void setTakesPart(const Variant& variant, const std::string& tunable, std::int64_t value, bool takes_part);
    /// Whether a tunable takes part at all; otherwise it stays at its slider's value.
    bool isTuned(const Variant& variant, const std::string& tunable) const;
    void setTuned(const Variant& variant, const std::string& tunable, bool tuned);
    /// The chosen values of each tunable of which not all values take part.
    ChosenValues of(const Variant& variant) const;
    /// How many combinations take part, whether or not restrictions allow them.
    double combinations(const Variant& variant) const;
    void clear();
    /// Takes the entries of a tuning that can be continued, and its values. Does so once after `clear`, and not after
    /// `keep`: what a person changes afterwards stays.
    void recall(const TuningHead& head, const Variant& variant);
    void keep() { recalled_ = true; }

    TuningFields& fields() { return fields_; }

    /// Whether the choice is shown beside the sliders.
    bool areShown() const { return shown_; }
    void setShown(bool shown);

signals:
    void changed();

private:
    class Command;
    struct LeftOut {
        std::map<std::string, std::map<std::string, std::set<std::int64_t>>> values;  ///< by variant and tunable
        std::map<std::string, std::set<std::string>> tunables;                        ///< by variant
    };
    std::vector<std::int64_t> chosen(const Variant& variant, const Tunable& tunable) const;
    void change(const QString& text, LeftOut after);
    void take(const LeftOut& left_out);

    QUndoStack& undo_;
    LeftOut left_out_;
    bool shown_ = false, recalled_ = false;
    TuningFields fields_;
};

}  // namespace kernelgen::studio
