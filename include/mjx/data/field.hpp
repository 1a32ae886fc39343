// A field of Data: its size in terms of the model, and how it is stored.
#pragma once

#include "mjx/math/traverse.hpp"
#include "mjx/model/array.hpp"
#include "mjx/model/types.hpp"
#include "mjx/scalar/scalar.hpp"

#include <cstddef>

namespace mjx::inner {

// The size a field has, in terms of the model.
// Laid out by hand: as few lines as it needs.
// clang-format off
enum class Dim {
    nq, nv, nu, na, nbody, njnt, ngeom, nsite, ncam, nlight, nmocap, neq, ntendon, nJten, nwrap2, nM, nout, nJmom,
    nsensordata, nhistory, nuserdata, nconmax, njmax, nJmax, ntree, none, warnings
};
// clang-format on
inline constexpr int dims = static_cast<int>(Dim::warnings) + 1;

// A capacity of the model is that of one environment, be it alone or one of several lanes: its own.
constexpr int lane_limit(int alone, int in_lane, int lanes) { return lanes > 1 && in_lane < alone ? in_lane : alone; }
template <class M>
constexpr int own_contacts(const M& m, int lanes) {
    return lane_limit(m.nconmax, m.nconlane, lanes);
}
template <class M>
constexpr int own_rows(const M& m, int lanes) {
    return lane_limit(m.njmax, m.njlane, lanes);
}
template <class M>
constexpr int own_entries(const M& m, int lanes) {
    return lane_limit(m.nJmax, m.nJlane, lanes);
}

// The lanes of a pack share their contacts and rows, and their places are those that some lane needs: there is room for the lanes'
// own capacities side by side, or for all there can be if that is less.
constexpr int lanes_limit(int one, int all, int lanes) {
    const long long together = static_cast<long long>(one) * lanes, most = one < all ? all : one;
    return static_cast<int>(together < most ? together : most);
}
template <class M>
constexpr int shared_contacts(const M& m, int lanes) {
    return lanes_limit(own_contacts(m, lanes), m.nconall, lanes);
}
template <class M>
constexpr int shared_rows(const M& m, int lanes) {
    return lanes_limit(own_rows(m, lanes), m.njall, lanes);
}
template <class M>
constexpr int shared_entries(const M& m, int lanes) {
    return lanes_limit(own_entries(m, lanes), m.nJall, lanes);
}

template <class M>
constexpr int extent(const M& m, Dim dim, int lanes) {
    switch (dim) {
        case Dim::nq: return m.nq;
        case Dim::nv: return m.nv;
        case Dim::nu: return m.nu;
        case Dim::na: return m.na;
        case Dim::nbody: return m.nbody;
        case Dim::njnt: return m.njnt;
        case Dim::ngeom: return m.ngeom;
        case Dim::nsite: return m.nsite;
        case Dim::ncam: return m.ncam;
        case Dim::nlight: return m.nlight;
        case Dim::nmocap: return m.nmocap;
        case Dim::neq: return m.neq;
        case Dim::ntendon: return m.ntendon;
        case Dim::nJten: return m.nJten;
        case Dim::nwrap2: return 2 * m.nwrap;
        case Dim::nM: return m.nM;
        case Dim::nout: return m.nout;
        case Dim::nJmom: return m.nJmom;
        case Dim::nsensordata: return m.nsensordata;
        case Dim::nhistory: return m.nhistory;
        case Dim::nuserdata: return m.nuserdata;
        case Dim::nconmax: return shared_contacts(m, lanes);
        case Dim::njmax: return shared_rows(m, lanes);
        case Dim::nJmax: return shared_entries(m, lanes);
        case Dim::ntree: return m.ntree;
        case Dim::none: return 0;
        case Dim::warnings: return warning::count * lanes;
    }
    return 0;
}

// Where a field of a runtime model lies. It does not know what its items are: what walks over the fields to place or copy them (parts_of)
// is compiled once, not for each of a hundred kinds of field.
struct FieldPlace {
    void* first;
    int count;
};
template <class T>
struct FieldItems : FieldPlace {
    using value_type = T;

    T& operator[](int i) const { return data()[i]; }
    int size() const { return count; }
    T* data() const { return static_cast<T*>(first); }
    T* begin() const { return data(); }
    T* end() const { return data() + count; }
};

// What a field is, and what stands for the model to ask it of all fields: DataOutline<S>.
template <class T, Dim D>
struct FieldOutline {
    static constexpr Dim dim = D;
    static constexpr std::size_t item_size = sizeof(T);
};
struct OutlineOnly {};

// How a field is stored: in Data's memory for runtime models, inside Data for fixed models.
template <class T, Dim D, int Lanes, class M>
struct field_storage {
    using type = FieldItems<T>;
};
template <class T, Dim D, int Lanes, class M>
    requires(M::is_fixed)
struct field_storage<T, D, Lanes, M> {
    using type = FixedArray<T, extent(constants_t<M>{}, D, Lanes)>;
};
template <class T, Dim D, int Lanes>
struct field_storage<T, D, Lanes, OutlineOnly> {
    using type = FieldOutline<T, D>;
};

}  // namespace mjx::inner
