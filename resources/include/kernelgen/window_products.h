// SPDX-License-Identifier: Apache-2.0
// Convolutions directly, a vector of the result at a time.
#pragma once

#include "kernelgen/rows.h"
#include "kernelgen/window.h"

namespace kg {

/// Convolutions a vector of the result at a time. image(row, columns) gives a vector of an image's row,
/// kernels(row, column) one element.
template <class T, class Window, class Image, class Kernels>
class WindowProducts {
public:
    KG_INLINE WindowProducts(const Window& window, Image image, Kernels kernels)
        : window_(window), image_(image), kernels_(kernels) {
        if (!is_depthwise()) return;
        const int64_t taps = window_.kernel_height * window_.kernel_width;
        by_tap_ = row_buffer<T, 5>(taps * window_.kernels).data;
        for (int64_t o = 0; o < window_.kernels; ++o)
            for (int64_t tap = 0; tap < taps; ++tap) by_tap_[tap * window_.kernels + o] = kernels_(o * taps + tap, 0);
    }

    /// Σ image · kernel for row i and columns j of the result.
    template <class J>
    KG_INLINE vec<T> operator()(int64_t i, J j) const {
        if constexpr (Window::is_channels_last) return is_depthwise() ? of_channels(i, j) : one_by_one(i, j);
        else return of_pixels(i, j);
    }

private:
    /// Whether the channels come last and each has one kernel, so that a vector of channels is multiplied.
    KG_INLINE bool is_depthwise() const {
        return Window::is_channels_last && window_.group_channels == 1 && window_.kernels == window_.channels;
    }
    KG_INLINE T pixel(int64_t row, int64_t column) const {
        return wide<T>(image_(row, PartialVector<T>{column, 1}))[0];
    }
    template <class J>
    static KG_INLINE int count_of(J j) {
        if constexpr (is_partial<J>) return j.count;
        else return lanes<T>;
    }

    template <class J>
    KG_INLINE vec<T> one_by_one(int64_t i, J j) const {
        vec<T> sums{};
        for (int lane = 0; lane < count_of(j); ++lane)
            sums[lane] = window_product<T>(
                window_, i, j.first + lane, [&](int64_t row, int64_t column) { return pixel(row, column); }, kernels_);
        return sums;
    }

    template <class J>
    KG_INLINE vec<T> of_channels(int64_t i, J j) const {
        const WindowPlace place = window_place(window_, i, j.first);
        vec<T> sums{};
        for (int64_t r = 0; r < window_.kernel_height; ++r) {
            const int64_t h = place.top + r * Window::dilation;
            if (!Window::is_inside(h, window_.height)) continue;
            for (int64_t s = 0; s < window_.kernel_width; ++s) {
                const int64_t w = place.left + s * Window::dilation;
                if (!Window::is_inside(w, window_.width)) continue;
                const int64_t tap = r * window_.kernel_width + s;
                sums += wide<T>(image_((place.image * window_.height + h) * window_.width + w, j)) *
                        wide<T>(load(static_cast<const T*>(by_tap_ + tap * window_.kernels), j));
            }
        }
        return sums;
    }

    template <class J>
    KG_INLINE vec<T> of_pixels(int64_t i, J j) const {
        const WindowPlace place = window_place(window_, i, j.first);
        const int64_t channel = place.image * window_.channels + window_.first_channel(place.kernel);
        vec<T> sums{};
        for (int64_t c = 0; c < window_.group_channels; ++c) {
            for (int64_t r = 0; r < window_.kernel_height; ++r) {
                const int64_t h = place.top + r * Window::dilation;
                if (!Window::is_inside(h, window_.height)) continue;
                const int64_t row = (channel + c) * window_.height + h;
                const int64_t of_kernel = (place.kernel * window_.group_channels + c) * window_.kernel_height + r;
                for (int64_t s = 0; s < window_.kernel_width; ++s)
                    sums += pixels(row, place.left + s * Window::dilation, count_of(j)) * kernels_(of_kernel, s);
            }
        }
        return sums;
    }

    /// `count` pixels of a row from `first` on, a stride apart; 0 outside the image.
    KG_INLINE vec<T> pixels(int64_t row, int64_t first, int count) const {
        if constexpr (Window::stride == 1) {
            if (first >= 0 && first + lanes<T> <= window_.width) return wide<T>(image_(row, WholeVector<T, 0>{first}));
            const int64_t low = first < 0 ? -first : 0, high = smaller(int64_t(count), window_.width - first);
            if (low >= high) return vec<T>{};
            T found[2 * lanes<T>] = {};
            store_vector(found + low,
                         wide<T>(image_(row, PartialVector<T>{first + low, static_cast<int>(high - low)})));
            for (int64_t lane = high; lane < lanes<T>; ++lane) found[lane] = T(0);
            return load_vector<vec<T>>(found);
        } else {
            vec<T> found{};
            for (int lane = 0; lane < count; ++lane) {
                const int64_t w = first + lane * Window::stride;
                if (Window::is_inside(w, window_.width)) found[lane] = pixel(row, w);
            }
            return found;
        }
    }

    Window window_;
    Image image_;
    Kernels kernels_;
    T* by_tap_ = nullptr;  ///< the kernels of each tap, where a vector of channels is multiplied
};
template <class T, class Window, class Image, class Kernels>
KG_INLINE WindowProducts<T, Window, Image, Kernels> window_products(const Window& window, Image image,
                                                                    Kernels kernels) {
    return {window, image, kernels};
}

}  // namespace kg
