// Sets of types at compile time. The only header that includes Boost.Hana.
#pragma once

#include "mjx/scalar/language.hpp"

#include <boost/hana/bool.hpp>
#include <boost/hana/ext/std/tuple.hpp>
#include <boost/hana/for_each.hpp>
#include <boost/hana/sort.hpp>
#include <boost/hana/tuple.hpp>
#include <boost/hana/type.hpp>
#include <boost/hana/unique.hpp>
#include <boost/hana/unpack.hpp>

namespace mjx::inner {

// T... in the order of their numbers T::type, each once, given to the template List.
template <template <class...> class List, class... T>
struct ordered_set {
    static constexpr auto sorted = boost::hana::sort(boost::hana::tuple_t<T...>, [](auto a, auto b) {
        return boost::hana::bool_c<(decltype(a)::type::type < decltype(b)::type::type)>;
    });
    using type = typename decltype(boost::hana::unpack(boost::hana::unique(sorted), boost::hana::template_<List>))::type;
};

// Calls f(T{}) for the first T of the list whose T::type is `type`; says whether there was one. For choices made at run time
// (a model's integrator, a command line) among types known at compile time.
template <class... T, class F>
bool with_type(int type, F&& f) {
    bool found = false;
    boost::hana::for_each(boost::hana::tuple_t<T...>, [&](auto t) {
        using Choice = typename decltype(t)::type;
        if (!found && Choice::type == type) {
            found = true;
            f(Choice{});
        }
    });
    return found;
}

}  // namespace mjx::inner
