// SPDX-License-Identifier: Apache-2.0
// Packs: neighbouring elements in their storage format, loaded and stored with as few instructions as their size
// allows.
#pragma once

namespace kg {

/// An unsigned integer of `bytes` bytes, 1 or 2.
template <int bytes>
struct CodeOf {
    using Type = uint8_t;
};
template <>
struct CodeOf<2> {
    using Type = uint16_t;
};

/// `count` elements of S, in registers.
template <class S, int count>
struct alignas(count * sizeof(S) % 16 == 0  ? 16
               : count * sizeof(S) % 8 == 0 ? 8
                                            : 4) Pack {
    static constexpr int bytes = count * static_cast<int>(sizeof(S));
    static constexpr int words = (bytes + 3) / 4;
    static constexpr int words_at_once = words % 4 == 0 ? 4 : words % 2 == 0 ? 2 : 1;
    /// The alignment that `load` and `store` need, in bytes.
    static constexpr int alignment = bytes >= 4 ? words_at_once * 4 : bytes;

    uint32_t word[words];

    template <int cache>
    KG_DEVICE void load(const S* from) {
        if constexpr (bytes < 4) {
            word[0] = bits_of(*from);
            if constexpr (count > 1) word[0] |= bits_of(from[1]) << 8;
        } else {
            KG_UNROLL
            for (int i = 0; i < words; i += words_at_once)
                read_words<cache, words_at_once>(reinterpret_cast<const uint32_t*>(from) + i, word + i);
        }
    }
    template <int cache>
    KG_DEVICE void store(S* to) const {
        if constexpr (bytes < 4) {
            KG_UNROLL
            for (int e = 0; e < count; ++e) to[e] = element(e);
        } else {
            KG_UNROLL
            for (int i = 0; i < words; i += words_at_once)
                write_words<cache, words_at_once>(reinterpret_cast<uint32_t*>(to) + i, word + i);
        }
    }
    /// Loads the first `valid` elements one by one, from any address; the others become 0.
    KG_DEVICE void load_some(const S* from, int valid) {
        clear();
        KG_UNROLL
        for (int e = 0; e < count; ++e) {
            if (e < valid) put(e, from[e]);
        }
    }
    KG_DEVICE void store_some(S* to, int valid) const {
        KG_UNROLL
        for (int e = 0; e < count; ++e) {
            if (e < valid) to[e] = element(e);
        }
    }

    KG_DEVICE void clear() {
        KG_UNROLL
        for (int i = 0; i < words; ++i) word[i] = 0;
    }
    KG_DEVICE S element(int e) const {
        if constexpr (sizeof(S) == 8) {
            return bits_as<S>(word[2 * e] | static_cast<uint64_t>(word[2 * e + 1]) << 32);
        } else if constexpr (sizeof(S) == 4) {
            return bits_as<S>(word[e]);
        } else {
            constexpr int in_word = 4 / sizeof(S), bits = 8 * sizeof(S);
            return bits_as<S>(static_cast<Code>(word[e / in_word] >> (e % in_word * bits)));
        }
    }
    template <class T>
    KG_DEVICE T value(int e) const {
        return from_storage<T>(element(e));
    }
    KG_DEVICE void take(const S* elements) {
        clear();
        KG_UNROLL
        for (int e = 0; e < count; ++e) put(e, elements[e]);
    }
    template <class T>
    KG_DEVICE void set(const T* values) {
        if constexpr (is_same<S, kg_f16> && count % 2 == 0) {
            KG_UNROLL
            for (int i = 0; i < words; ++i) word[i] = halves(float(values[2 * i]), float(values[2 * i + 1]));
        } else if constexpr (is_same<S, kg_bf16> && count % 2 == 0) {
            KG_UNROLL
            for (int i = 0; i < words; ++i) word[i] = bfloats(float(values[2 * i]), float(values[2 * i + 1]));
        } else {
            clear();
            KG_UNROLL
            for (int e = 0; e < count; ++e) put(e, to_storage<S>(values[e]));
        }
    }

private:
    using Code = typename CodeOf<static_cast<int>(sizeof(S))>::Type;

    static KG_DEVICE uint32_t bits_of(S element) { return bits_as<Code>(element); }

    /// Puts an element into a word that has zeros at its place.
    KG_DEVICE void put(int e, S element) {
        if constexpr (sizeof(S) == 8) {
            const auto bits = bits_as<uint64_t>(element);
            word[2 * e] = static_cast<uint32_t>(bits);
            word[2 * e + 1] = static_cast<uint32_t>(bits >> 32);
        } else if constexpr (sizeof(S) == 4) {
            word[e] = bits_as<uint32_t>(element);
        } else {
            constexpr int in_word = 4 / sizeof(S), bits = 8 * sizeof(S);
            word[e / in_word] |= bits_of(element) << (e % in_word * bits);
        }
    }
};

/// The number of elements of the case's dtype in `vec` bytes.
template <int vec>
inline constexpr int pack_size = vec / static_cast<int>(sizeof(DTYPE)) > 0 ? vec / static_cast<int>(sizeof(DTYPE)) : 1;

constexpr KG_DEVICE int smaller_of(int a, int b) { return a < b ? a : b; }
constexpr KG_DEVICE int larger_of(int a, int b) { return a > b ? a : b; }
constexpr KG_DEVICE int ceiling(int a, int b) { return (a + b - 1) / b; }
KG_DEVICE bool is_aligned(const void* address, int alignment) {
    return reinterpret_cast<uintptr_t>(address) % static_cast<unsigned>(alignment) == 0;
}

/// A list of values of different types.
template <class... Ts>
struct List {
    template <class F, class... Done>
    KG_DEVICE decltype(auto) apply(const F& f, Done&... done) const {
        return f(done...);
    }
};
template <class First, class... Rest>
struct List<First, Rest...> {
    First first;
    List<Rest...> rest;

    /// Calls f(all values, in order).
    template <class F, class... Done>
    KG_DEVICE decltype(auto) apply(const F& f, Done&... done) {
        return rest.apply(f, done..., first);
    }
    template <class F, class... Done>
    KG_DEVICE decltype(auto) apply(const F& f, Done&... done) const {
        return rest.apply(f, done..., first);
    }
};
KG_DEVICE List<> list() { return {}; }
template <class First, class... Rest>
KG_DEVICE List<First, Rest...> list(First first, Rest... rest) {
    return {first, list(rest...)};
}

}  // namespace kg
