// InKernel<M>: a fixed model as kernels of a device have it.
//
// Compilers of kernels put all that is called into one function, at each place it is called from: where code for one environment is
// straight-line or there for each of several sizes, a kernel has loops (in_kernel_v). The results are the same.
//
// Tables of constants are read through a cache of their own, and there is room for 64 kB of them. Those of meshes and height fields that
// are more are places in a buffer of the device, which SyclBatch fills; of any other such model they are those of M.
#pragma once

#include "mjx/math/traverse.hpp"
#include "mjx/model/fields.hpp"

#include <cstddef>
#include <type_traits>

namespace mjx::inner {

// A table that lies somewhere else.
template <class Table>
struct TablePlace {
    using value_type = typename Table::value_type;
    const value_type* first;

    constexpr explicit TablePlace(const Table& table) : first(table.data()) {}
    constexpr const value_type& operator[](int i) const { return first[i]; }
    static constexpr int size() { return Table::size(); }
    static constexpr std::size_t bytes() { return sizeof(value_type) * static_cast<std::size_t>(Table::size()); }
};

// The tables that grow with meshes and height fields, as places.
template <class M>
struct InBuffer : M {
    template <class Table>
    using place = TablePlace<std::remove_cv_t<Table>>;
    place<decltype(M::mesh_vert)> mesh_vert{M::mesh_vert};
    place<decltype(M::mesh_face)> mesh_face{M::mesh_face};
    place<decltype(M::mesh_tangent)> mesh_tangent{M::mesh_tangent};
    place<decltype(M::mesh_graph)> mesh_graph{M::mesh_graph};
    place<decltype(M::mesh_node)> mesh_node{M::mesh_node};
    place<decltype(M::mesh_bvhnode)> mesh_bvhnode{M::mesh_bvhnode};
    place<decltype(M::mesh_bvhbox)> mesh_bvhbox{M::mesh_bvhbox};
    place<decltype(M::mesh_grid)> mesh_grid{M::mesh_grid};
    place<decltype(M::mesh_polynormal)> mesh_polynormal{M::mesh_polynormal};
    place<decltype(M::mesh_polyvertadr)> mesh_polyvertadr{M::mesh_polyvertadr};
    place<decltype(M::mesh_polyvertnum)> mesh_polyvertnum{M::mesh_polyvertnum};
    place<decltype(M::mesh_polyvert)> mesh_polyvert{M::mesh_polyvert};
    place<decltype(M::mesh_polymapadr)> mesh_polymapadr{M::mesh_polymapadr};
    place<decltype(M::mesh_polymapnum)> mesh_polymapnum{M::mesh_polymapnum};
    place<decltype(M::mesh_polymap)> mesh_polymap{M::mesh_polymap};
    place<decltype(M::hfield_data)> hfield_data{M::hfield_data};

    // f(place) for each.
    template <class F>
    constexpr void for_each_place(F&& f) {
        for_each_table(
            [&](const char*, auto& table) {
                if constexpr (requires { table.bytes(); }) f(table);
            },
            *this);
    }
    // Their bytes, each table at a multiple of 16.
    static constexpr std::size_t buffer_bytes() {
        std::size_t bytes = 0;
        InBuffer<constants_t<M>>{}.for_each_place([&](const auto& table) { bytes += (table.bytes() + 15) / 16 * 16; });
        return bytes;
    }
};

// What else a model has in tables is some kilobytes.
inline constexpr std::size_t constant_limit = std::size_t(48) << 10;

template <class M>
struct InKernel : std::conditional_t<(InBuffer<M>::buffer_bytes() > constant_limit), InBuffer<M>, M> {
    static constexpr bool in_kernel = true;
    using constants = InKernel<constants_t<M>>;
    void* polytope = nullptr;  // a work item's room for EPA (collision/ccd.hpp), where the model needs it
    template <class Real>
    using rebind = InKernel<typename M::template rebind<Real>>;
};
template <class M>
inline constexpr bool has_places = requires { M::buffer_bytes(); };

}  // namespace mjx::inner
