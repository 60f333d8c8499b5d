// SPDX-License-Identifier: Apache-2.0
// Convolutions that are no products of matrices: a thread adds up the windows of a few elements that lie beside one
// another, so that what their windows share is read once. docs/CONTRACTIONS.md explains it.
#pragma once

namespace kg {

/// a / b of numbers that are not negative, in 32 bits where both have no more.
KG_DEVICE int64_t quotient(int64_t a, int64_t b) {
    if (static_cast<uint64_t>(a | b) >> 32 == 0) return static_cast<uint32_t>(a) / static_cast<uint32_t>(b);
    return a / b;
}
KG_DEVICE int64_t clamped(int64_t place, int64_t size) { return place < 0 ? 0 : place < size ? place : size - 1; }

/// Elements of a result of `rows` by `columns` that one thread computes: rows `first_row` and those after it, of column
/// `column`. They have the same kernel, and their windows begin `stride` apart, from `top` and `left` on.
struct WindowStrip {
    int64_t first_row, count, column;
    int64_t image, kernel, top, left;
};

/// This thread's strip; its count is 0 where there is none.
template <int strip, class Window>
KG_DEVICE WindowStrip own_strip(const Window& window, int64_t rows, int64_t columns) {
    constexpr bool last = Window::is_channels_last;
    const int64_t length = last ? window.out_width : window.out_height, strips = (length + strip - 1) / strip;
    const int64_t number = int64_t{block_index()} * block_size() + thread_index();
    const int64_t place = quotient(number, columns), column = number - place * columns;
    const int64_t line = quotient(place, strips), first = (place - line * strips) * strip;
    const int64_t lines = last ? window.out_height : window.kernels, image = quotient(line, lines);
    const int64_t within = line - image * lines, left = length - first;
    WindowStrip own;
    own.first_row = line * length + first;
    own.count = own.first_row >= rows ? 0 : left < strip ? left : strip;
    own.column = column;
    own.image = image;
    own.kernel = last ? column : within;
    own.top = (last ? within : first) * Window::stride - Window::padding;
    own.left = (last ? first : column) * Window::stride - Window::padding;
    return own;
}

/// Calls visit(i, j, sum of its window) for the elements of this thread's strip. image(row, column) and
/// kernels(row, column) give elements of the tensors' rows.
template <class T, int strip, class Window, class Image, class Kernels, class Visit>
KG_DEVICE void window_strips(const Window& window, int64_t rows, int64_t columns, const Image& image,
                             const Kernels& kernels, const Visit& visit) {
    constexpr bool last = Window::is_channels_last;
    const WindowStrip own = own_strip<strip>(window, rows, columns);
    if (own.count == 0) return;
    const int64_t first_channel = window.first_channel(own.kernel);
    T sums[strip] = {};
    for (int64_t c = 0; c < window.group_channels; ++c) {
        const int64_t channel = first_channel + c;
        KG_UNROLL
        for (int64_t r = 0; r < window.kernel_height; ++r) {
            KG_UNROLL
            for (int64_t s = 0; s < window.kernel_width; ++s) {
                const T weight =
                    last ? kernels((own.kernel * window.kernel_height + r) * window.kernel_width + s, c)
                         : kernels((own.kernel * window.group_channels + c) * window.kernel_height + r, s);
                KG_UNROLL
                for (int e = 0; e < strip; ++e) {
                    const int64_t h = own.top + (last ? 0 : e * Window::stride) + r * Window::dilation;
                    const int64_t w = own.left + (last ? e * Window::stride : 0) + s * Window::dilation;
                    // Read in any case, so that elements which windows share are read once.
                    const int64_t y = clamped(h, window.height), x = clamped(w, window.width);
                    const T read = last ? image((own.image * window.height + y) * window.width + x, channel)
                                        : image((own.image * window.channels + channel) * window.height + y, x);
                    const bool is_inside =
                        Window::is_inside(h, window.height) && Window::is_inside(w, window.width);
                    sums[e] += (is_inside ? read : T(0)) * weight;
                }
            }
        }
    }
    KG_UNROLL
    for (int e = 0; e < strip; ++e) {
        if (e < own.count) visit(own.first_row + e, own.column, sums[e]);
    }
}

}  // namespace kg
