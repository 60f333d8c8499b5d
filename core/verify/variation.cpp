// SPDX-License-Identifier: Apache-2.0
#include "core/verify/variation.h"

#include <algorithm>
#include <map>

namespace kernelgen {

Elements with_spans(Elements base, const std::function<Elements(InputSet)>& other, std::vector<InputSpan> spans) {
    if (spans.empty()) return base;
    std::map<InputSet, Elements> others;
    for (const InputSpan& span : spans) {
        if (!others.contains(span.set)) others.emplace(span.set, other(span.set));
    }
    return [base = std::move(base), others = std::move(others), spans = std::move(spans)](
               int tensor, std::int64_t first, std::span<double> values) {
        base(tensor, first, values);
        const std::int64_t end = first + static_cast<std::int64_t>(values.size());
        for (const InputSpan& span : spans) {
            const std::int64_t begin = std::max(span.first, first), stop = std::min(span.first + span.count, end);
            if (span.input != tensor || begin >= stop) continue;
            const auto offset = static_cast<std::size_t>(begin - first), count = static_cast<std::size_t>(stop - begin);
            others.at(span.set)(tensor, begin, values.subspan(offset, count));
        }
    };
}

}  // namespace kernelgen
