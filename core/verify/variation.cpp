// SPDX-License-Identifier: Apache-2.0
#include "core/verify/variation.h"

#include <algorithm>

namespace kernelgen {

Elements with_spans(Elements base, Elements other, std::vector<InputSpan> spans) {
    if (spans.empty()) return base;
    return [base = std::move(base), other = std::move(other), spans = std::move(spans)](int tensor, std::int64_t first,
                                                                                        std::span<double> values) {
        base(tensor, first, values);
        const std::int64_t end = first + static_cast<std::int64_t>(values.size());
        for (const InputSpan& span : spans) {
            const std::int64_t begin = std::max(span.first, first), stop = std::min(span.first + span.count, end);
            if (span.input != tensor || begin >= stop) continue;
            other(tensor, begin,
                  values.subspan(static_cast<std::size_t>(begin - first), static_cast<std::size_t>(stop - begin)));
        }
    };
}

}  // namespace kernelgen
