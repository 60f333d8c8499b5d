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

/// The place of an element of a kernel along the depth, where channels come last: its channel and its tap.
struct DepthPlace {
    int channel, row, column;
};
template <class Window>
KG_DEVICE DepthPlace depth_place(const Window& window, int64_t k) {
    const auto channels = static_cast<unsigned>(window.group_channels), tap = static_cast<unsigned>(k) / channels;
    const unsigned row = tap / static_cast<unsigned>(window.kernel_width);
    return {static_cast<int>(static_cast<unsigned>(k) - tap * channels), static_cast<int>(row),
            static_cast<int>(tap - row * static_cast<unsigned>(window.kernel_width))};
}

/// The pixels of the result as lines of tiles of `block_m`: a tile has pixels beside one another in `height` rows of an
/// image. Then the patches of a tile for 64 channels of one tap are a box of the images.
template <class Window, int block_m>
struct PixelTiles {
    static constexpr int width = 16, height = block_m / width;
    Window window;
    unsigned across, in_image;  ///< tiles

    KG_DEVICE explicit PixelTiles(const Window& of)
        : window(of),
          across((static_cast<unsigned>(of.out_width) + width - 1) / width),
          in_image(across * ((static_cast<unsigned>(of.out_height) + height - 1) / height)) {}
    /// All lines of a result of so many pixels; some are of no pixel.
    KG_DEVICE int64_t lines(int64_t pixels) const {
        return pixels / (window.out_width * window.out_height) * in_image * block_m;
    }
    struct Pixel {
        int image, y, x;
    };
    KG_DEVICE Pixel pixel(int64_t line) const {
        const auto tile = static_cast<unsigned>(line / block_m), image = tile / in_image;
        const unsigned row = (tile - image * in_image) / across, column = tile - image * in_image - row * across;
        const int within = static_cast<int>(line % block_m);
        return {static_cast<int>(image), static_cast<int>(row) * height + within / width,
                static_cast<int>(column) * width + within % width};
    }
};

/// Boxes of images, for a tile of pixels, and of kernels [O, R, S, C].
template <class Window, int block_m>
struct BoxesOfPixels {
    const CUtensorMap* map;
    PixelTiles<Window, block_m> tiles;

    KG_DEVICE BoxPlace place(int64_t line, int64_t k) const {
        const auto pixel = tiles.pixel(line);
        const DepthPlace at = depth_place(tiles.window, k);
        constexpr int padding = static_cast<int>(Window::padding), dilation = static_cast<int>(Window::dilation);
        return {at.channel, pixel.x - padding + at.column * dilation, pixel.y - padding + at.row * dilation, pixel.image};
    }
};
template <class Window>
struct BoxesOfKernels {
    const CUtensorMap* map;
    Window window;

    KG_DEVICE BoxPlace place(int64_t line, int64_t k) const {
        const DepthPlace at = depth_place(window, k);
        return {at.channel, at.column, at.row, static_cast<int>(line)};
    }
};
template <class Window>
KG_DEVICE BoxesOfKernels<Window> boxes_of_kernels(const CUtensorMap& map, const Window& window) {
    return {&map, window};
}
template <class Window, int block_m>
KG_DEVICE bool can_copy(const BoxesOfPixels<Window, block_m>& boxes) {
    return is_given(*boxes.map) && boxes.tiles.window.channels % 64 == 0;
}
template <class Window>
KG_DEVICE bool can_copy(const BoxesOfKernels<Window>& boxes) {
    return is_given(*boxes.map) && boxes.window.channels % 64 == 0;
}

/// As PixelPatches without strides, of lines as PixelTiles has them.
template <class T, class Storage, class Window, int block_m>
struct TiledPatches {
    PixelPatches<T, Storage, Window> patches;
    BoxesOfPixels<Window, block_m> boxes;

    /// Of the first pixel of 16 lines: its row of the result, and how many of them have a pixel.
    struct Row {
        int64_t first;
        int pixels;
    };
    KG_DEVICE Row row(int64_t line) const {
        const Window& window = patches.window;
        const auto pixel = boxes.tiles.pixel(line);
        const int left = static_cast<int>(window.out_width) - pixel.x;
        return {(pixel.image * window.out_height + pixel.y) * window.out_width + pixel.x,
                pixel.y < window.out_height ? smaller_of(left, 16) : 0};
    }
    KG_DEVICE T operator()(int64_t line, int64_t k) const {
        const Row of = row(line - line % 16);
        const int within = static_cast<int>(line % 16);
        return within < of.pixels ? patches(of.first + within, k) : T(0);
    }
};
template <class T, class Storage, class Window, int block_m>
inline constexpr int axes_of_boxes<TiledPatches<T, Storage, Window, block_m>, Storage> = 4;
template <class T, class Storage, class Window>
inline constexpr int axes_of_boxes<MatrixOfLines<T, Storage, BoxesOfKernels<Window>>, Storage> = 4;

/// Whether the lines of a product are those of PixelTiles.
template <class Window, int copy_warps>
inline constexpr bool has_pixel_tiles = has_wgmma && copy_warps > 0 && Window::stride == 1;

/// The patches of images as an operand whose lines come in tiles of `block_m`, and how many lines there are. With
/// `copy_warps` the copy engine copies them.
template <class T, int block_m, int copy_warps, class Storage, class Window>
KG_DEVICE auto copied_patches(const Storage* data, const Window& window, const CUtensorMap& map) {
    if constexpr (has_pixel_tiles<Window, copy_warps>) {
        using Load = TiledPatches<T, Storage, Window, block_m>;
        return AlongDepth<Load>{{{data, window}, {&map, PixelTiles<Window, block_m>(window)}}};
    } else {
        return pixel_patches<T>(data, window);
    }
}
template <int block_m, int copy_warps, class Window>
KG_DEVICE int64_t lines_of_patches(const Window& window, int64_t pixels) {
    if constexpr (has_pixel_tiles<Window, copy_warps>) return PixelTiles<Window, block_m>(window).lines(pixels);
    else return pixels;
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
