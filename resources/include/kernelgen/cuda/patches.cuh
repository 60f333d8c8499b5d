// SPDX-License-Identifier: Apache-2.0
// The patches of a convolution's images as an operand of a product: how tensor cores read them in memory.
// docs/CONTRACTIONS.md explains it.
#pragma once

namespace kg {

/// The patches of images whose rows are of channels, as they lie in memory. A line is a pixel of the result.
template <class T, class Storage, class Window>
struct PixelPatches {
    const Storage* data;
    Window window;

    /// Null in the padding.
    KG_DEVICE const Storage* address(int64_t line, int64_t k) const {
        const int64_t tap = k / window.group_channels, y = line / window.out_width;
        const int64_t h = y % window.out_height * Window::stride - Window::padding +
                          tap / window.kernel_width * Window::dilation;
        const int64_t w = line % window.out_width * Window::stride - Window::padding +
                          tap % window.kernel_width * Window::dilation;
        if (!Window::is_inside(h, window.height) || !Window::is_inside(w, window.width)) return nullptr;
        return data + ((y / window.out_height * window.height + h) * window.width + w) * window.channels +
               k % window.group_channels;
    }
    KG_DEVICE T operator()(int64_t line, int64_t k) const {
        const Storage* const element = address(line, k);
        return element == nullptr ? T(0) : load_one<T>(element);
    }
};
template <class T, class Storage, class Window>
KG_DEVICE AlongDepth<PixelPatches<T, Storage, Window>> pixel_patches(const Storage* data, const Window& window) {
    return {{data, window}};
}

template <class Load, class Storage>
inline constexpr bool is_patches_of = false;
template <class T, class Storage, class Window>
inline constexpr bool is_patches_of<PixelPatches<T, Storage, Window>, Storage> = true;

/// Whether 16 bytes of elements that follow each other, from a multiple of 16 bytes on, can be read at once.
template <class Storage, class Load>
KG_DEVICE bool has_whole_pieces(const Load& load) {
    constexpr int piece = 16 / static_cast<int>(sizeof(Storage));
    if constexpr (is_matrix_of<Load, Storage>)
        return load.stride % piece == 0 && reinterpret_cast<uint64_t>(load.data) % 16 == 0;
    else if constexpr (is_patches_of<Load, Storage>)
        return load.window.channels % piece == 0 && reinterpret_cast<uint64_t>(load.data) % 16 == 0;
    else return false;
}

}  // namespace kg
