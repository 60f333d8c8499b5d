// SPDX-License-Identifier: Apache-2.0
// A convolution as a product of matrices: the operand that is packed from the patches which kernels cover.
// docs/CONTRACTIONS.md explains it.
#pragma once

#include "kernelgen/contraction.h"
#include "kernelgen/window.h"

namespace kg {

/// The patches of images whose rows are of pixels: image(row, columns) gives a vector of a row. A line is a pixel of
/// the result; `first_row` is the row of the group's first channel.
template <class Dtype_, class Window, class Image>
struct PlanePatches {
    using Dtype = Dtype_;
    Window window;
    int64_t first_row;
    Image image;

    /// Pixels [first, last) of a line of the result, of the tap whose column of the image is `shift` for the first
    /// pixel of that line. `row`: of the image.
    template <class T>
    KG_INLINE void read(int64_t row, int64_t shift, int64_t first, int64_t last, T* to) const {
        constexpr int64_t stride = Window::stride;
        const int64_t begin = shift >= 0 ? 0 : cdiv(-shift, stride);
        const int64_t end = window.width > shift ? (window.width - 1 - shift) / stride + 1 : 0;
        const int64_t low = smaller(begin > first ? begin : first, last);
        const int64_t high = end < low ? low : smaller(end, last);
        for (int64_t x = first; x < low; ++x) *to++ = T(0);
        if constexpr (stride == 1) {
            for_columns<T, 1>(low + shift, high + shift,
                              [&](auto j) { store(to - low - shift, j, wide<T>(image(row, j))); });
            to += high - low;
        } else if (low < high) {
            const int64_t left = low * stride + shift;
            T* const pixels = row_buffer<T, 4>(window.width + lanes<T>).data;
            for_columns<T, 1>(left, (high - 1) * stride + shift + 1,
                              [&](auto j) { store(pixels - left, j, wide<T>(image(row, j))); });
            for (int64_t x = low; x < high; ++x) *to++ = pixels[(x - low) * stride];
        }
        for (int64_t x = high; x < last; ++x) *to++ = T(0);
    }
};
template <class Dtype, class Window, class Image>
KG_INLINE PlanePatches<Dtype, Window, Image> plane_patches(const Window& window, int64_t first_row, Image image) {
    return {window, first_row, image};
}

template <class T, int width, class Dtype, class Window, class Image>
inline void pack(const PlanePatches<Dtype, Window, Image>& patches, Tile lines, Depth depth, T* packed) {
    static_assert(width % lanes<T> == 0);
    const Window& window = patches.window;
    const int64_t count = lines.last - lines.first, strips = cdiv(count, width);
    const int64_t taps = window.kernel_height * window.kernel_width;
    T* const line = row_buffer<T, 3>(strips * width + lanes<T>).data;
    for (int64_t i = count; i < strips * width; ++i) line[i] = T(0);
    for (int64_t k = depth.first; k < depth.first + depth.count; ++k) {
        const int64_t tap = k % taps, r = tap / window.kernel_width, s = tap % window.kernel_width;
        for (int64_t pixel = lines.first; pixel < lines.last;) {
            const int64_t y = pixel / window.out_width, x = pixel - y * window.out_width;
            const int64_t end = smaller(window.out_width, x + lines.last - pixel);
            const int64_t h = y * Window::stride - Window::padding + r * Window::dilation;
            T* const to = line + (pixel - lines.first);
            if (Window::is_inside(h, window.height))
                patches.template read<T>(patches.first_row + k / taps * window.height + h,
                                         s * Window::dilation - Window::padding, x, end, to);
            else
                for (int64_t i = 0; i < end - x; ++i) to[i] = T(0);
            pixel += end - x;
        }
        T* const row = packed + (k - depth.first) * width;
        for (int64_t strip = 0; strip < strips; ++strip) {
#pragma GCC unroll 4
            for (int v = 0; v < width; v += lanes<T>)
                store_vector(row + strip * depth.count * width + v, load_vector<vec<T>>(line + strip * width + v));
        }
    }
}

/// The patches of images whose rows are of channels, without groups. A line is a pixel of all images' results.
template <class Dtype_, class Window, class Image>
struct PixelPatches {
    using Dtype = Dtype_;
    Window window;
    Image image;
};
template <class Dtype, class Window, class Image>
KG_INLINE PixelPatches<Dtype, Window, Image> pixel_patches(const Window& window, Image image) {
    return {window, image};
}

template <class T, int rows, int distance, class Dtype, class Window, class Image>
KG_INLINE LeftLayout<distance, 1> pack_left(const PixelPatches<Dtype, Window, Image>& patches, Tile lines, Depth depth,
                                            T* packed) {
    const Window& window = patches.window;
    const int64_t channels = window.channels;
    int64_t line = lines.first;
    for (; line < lines.last; ++line, packed += distance) {
        const int64_t y = line / window.out_width, x = line % window.out_width;
        const int64_t top = y % window.out_height * Window::stride - Window::padding;
        const int64_t left = x * Window::stride - Window::padding, image = y / window.out_height;
        for (int64_t k = depth.first; k < depth.first + depth.count;) {
            const int64_t tap = k / channels, channel = k - tap * channels;
            const int64_t count = smaller(channels - channel, depth.first + depth.count - k);
            const int64_t h = top + tap / window.kernel_width * Window::dilation;
            const int64_t w = left + tap % window.kernel_width * Window::dilation;
            T* const to = packed + (k - depth.first);
            if (Window::is_inside(h, window.height) && Window::is_inside(w, window.width)) {
                const int64_t row = (image * window.height + h) * window.width + w;
                for_columns<T, 1>(channel, channel + count,
                                  [&](auto j) { store(to - channel, j, wide<T>(patches.image(row, j))); });
            } else {
                for (int64_t i = 0; i < count; ++i) to[i] = T(0);
            }
            k += count;
        }
    }
    for (; (line - lines.first) % rows != 0; ++line, packed += distance) {
        for (int64_t k = 0; k < depth.count; ++k) packed[k] = T(0);
    }
    return {};
}

}  // namespace kg
