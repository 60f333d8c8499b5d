// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/base/said.h"
#include "core/tune/tuning.h"

namespace kernelgen {

/// Configurations that are to be tried again, each alone, such as those with which a worker died. One with which two
/// workers died has crashed.
class Suspects {
public:
    /// A worker died with it; `death` says how.
    void add_death(const Configuration& configuration, const std::string& worker, const Said& death);
    /// Adds a configuration that is to be tried again for another reason than a death.
    void add(Configuration configuration) { waiting_.push_back(std::move(configuration)); }

    /// Removes configurations whose results are known by now: they are not tried again.
    void erase_if(const std::function<bool(const Configuration&)>& is_known) { std::erase_if(waiting_, is_known); }

    bool are_waiting() const { return !waiting_.empty(); }
    Configuration take();

    /// The configurations that have crashed and were not taken yet, as results.
    std::size_t count_crashed() const { return crashed_.size(); }
    std::vector<Tried> take_crashed();

private:
    std::vector<Configuration> waiting_;
    std::map<Configuration, int> deaths_;
    std::vector<Tried> crashed_;
};

}  // namespace kernelgen
