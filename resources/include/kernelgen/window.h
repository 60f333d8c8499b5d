// SPDX-License-Identifier: Apache-2.0
// The window of a convolution: which elements of an image and of a kernel an element of the result adds up. For host
// and CUDA kernels. docs/CONTRACTIONS.md explains it.
#pragma once

#if defined(KG_DEVICE)
#define KG_WINDOW KG_DEVICE
#else
#include "kernelgen/types.h"
#define KG_WINDOW KG_INLINE
#endif

namespace kg {

/// The sizes of a convolution. Images are rows of pixels, [N, C, H, W], or with `channels_last` of channels,
/// [N, H, W, C]; kernels are [O, C / groups, R, S] or [O, R, S, C / groups].
template <bool channels_last, int stride_, int padding_, int dilation_>
struct Window {
    static constexpr bool is_channels_last = channels_last;
    static constexpr int64_t stride = stride_, padding = padding_, dilation = dilation_;

    int64_t channels, height, width;  // of an image
    int64_t kernels, group_channels, kernel_height, kernel_width;
    int64_t out_height, out_width;

    KG_WINDOW int64_t first_channel(int64_t kernel) const {
        if (group_channels == 1 && kernels == channels) return kernel;
        return channels == group_channels ? 0 : kernel / (kernels / (channels / group_channels)) * group_channels;
    }
    /// Whether a row or column lies in the image, not in the padding.
    static KG_WINDOW bool is_inside(int64_t place, int64_t size) { return place >= 0 && place < size; }
};

/// Of an element of the result: its image and kernel, and where its window begins.
struct WindowPlace {
    int64_t image, kernel, top, left;
};
/// The element at row i and column j of the result.
template <class Window>
KG_WINDOW WindowPlace window_place(const Window& window, int64_t i, int64_t j) {
    constexpr bool last = Window::is_channels_last;
    const int64_t inner = last ? window.out_width : window.out_height,
                  outer = last ? window.out_height : window.kernels;
    const int64_t first = i / inner / outer, second = i / inner % outer, third = i % inner;
    const int64_t y = last ? second : third, x = last ? third : j;
    return {first, last ? j : second, y * Window::stride - Window::padding, x * Window::stride - Window::padding};
}

/// Σ image · kernel for row i and column j of the result. image(row, column) and kernels(row, column) give elements of
/// the tensors' rows.
template <class T, class Window, class Image, class Kernels>
KG_WINDOW T window_product(const Window& window, int64_t i, int64_t j, const Image& image, const Kernels& kernels) {
    const WindowPlace place = window_place(window, i, j);
    const int64_t channel = window.first_channel(place.kernel), taps = window.kernel_height * window.kernel_width;
    T sum = 0;
    for (int64_t c = 0; c < (Window::is_channels_last ? 1 : window.group_channels); ++c) {
        for (int64_t tap = 0; tap < taps; ++tap) {
            const int64_t r = tap / window.kernel_width, s = tap % window.kernel_width;
            const int64_t h = place.top + r * Window::dilation, w = place.left + s * Window::dilation;
            if (!Window::is_inside(h, window.height) || !Window::is_inside(w, window.width)) continue;
            if constexpr (Window::is_channels_last) {
                const int64_t row = (place.image * window.height + h) * window.width + w;
                for (int64_t k = 0; k < window.group_channels; ++k)
                    sum += image(row, channel + k) * kernels(place.kernel * taps + tap, k);
            } else {
                const int64_t row = (place.image * window.channels + channel + c) * window.height + h;
                sum +=
                    image(row, w) * kernels((place.kernel * window.group_channels + c) * window.kernel_height + r, s);
            }
        }
    }
    return sum;
}

/// The element of pixel `line`'s patch at place k of the depth, in the kernels' order in memory; 0 in the padding.
/// `first_row`: the image's row of the group's first channel, where rows are of pixels.
template <class T, class Window, class Image>
KG_WINDOW T patch_element(const Window& window, int64_t first_row, int64_t line, int64_t k, const Image& image) {
    const int64_t taps = window.kernel_height * window.kernel_width;
    const int64_t c = Window::is_channels_last ? k % window.group_channels : k / taps;
    const int64_t tap = Window::is_channels_last ? k / window.group_channels : k % taps;
    const int64_t y = line / window.out_width, x = line % window.out_width;
    const int64_t top = (Window::is_channels_last ? y % window.out_height : y) * Window::stride - Window::padding;
    const int64_t h = top + tap / window.kernel_width * Window::dilation;
    const int64_t w = x * Window::stride - Window::padding + tap % window.kernel_width * Window::dilation;
    if (!Window::is_inside(h, window.height) || !Window::is_inside(w, window.width)) return T(0);
    if constexpr (Window::is_channels_last)
        return T(image((y / window.out_height * window.height + h) * window.width + w, c));
    else return T(image(first_row + c * window.height + h, w));
}

}  // namespace kg
