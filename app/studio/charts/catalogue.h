// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "core/round/history.h"

namespace kernelgen::studio {

/// One timed case of a round. Round and case belong to a history, which must outlive this.
struct Timing {
    const Round* round = nullptr;
    const RoundCase* timing = nullptr;
    int binding = 0;  ///< number of the case in the catalogue
    int group = 0;    ///< rounds may be compared, and joined by a line, only within one group
};

/// Bytes that the definition reads and writes in the case (each input and output once); 0 where it was not timed.
double bytesOf(const RoundCase& timing);

/// Numbers cases, and the groups of comparable rounds, in the order in which they first appear.
class Catalogue {
public:
    Catalogue() = default;
    /// The timed cases of all rounds in their order: the number of a case, and with it its colour, is the same in every
    /// chart of these rounds, and stays as rounds are added.
    explicit Catalogue(const History& history);

    /// `guess`: the number that it may well have, which is found sooner.
    int caseNumber(const Case& binding, std::size_t guess = 0);
    int groupNumber(const Round& round);

    std::vector<Case> cases;
    std::vector<const Round*> groups;  ///< the first round of each

private:
    std::unordered_map<std::string, int> case_numbers_, group_numbers_;
    std::size_t last_group_ = 0;
};

/// Every case of `round` whose time counts.
std::vector<Timing> timingsOf(const Round& round, Catalogue& catalogue);

}  // namespace kernelgen::studio
