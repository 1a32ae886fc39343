// Sets of types at compile time. The only header that includes Boost.Hana.
#pragma once

#include "mjx/scalar/language.hpp"

#include <boost/hana/contains.hpp>
#include <boost/hana/ext/std/tuple.hpp>
#include <boost/hana/filter.hpp>
#include <boost/hana/for_each.hpp>
#include <boost/hana/fwd/core/to.hpp>
#include <boost/hana/is_subset.hpp>
#include <boost/hana/set.hpp>
#include <boost/hana/tuple.hpp>
#include <boost/hana/type.hpp>
#include <boost/hana/unpack.hpp>

namespace mjx::inner {

// The members of `Universe` (a list of types) that are among T..., in the order of the universe, given to the template List.
template <template <class...> class List, class Universe, class... T>
struct ordered_subset;

template <template <class...> class List, class... U, class... T>
struct ordered_subset<List, List<U...>, T...> {
    static constexpr auto universe = boost::hana::tuple_t<U...>;
    static constexpr auto wanted = boost::hana::make_set(boost::hana::type_c<T>...);
    static constexpr bool known =
        decltype(boost::hana::is_subset(wanted, boost::hana::to_set(universe)))::value;
    static constexpr auto chosen =
        boost::hana::filter(universe, [](auto t) { return boost::hana::contains(decltype(wanted){}, t); });
    using type = typename decltype(boost::hana::unpack(chosen, boost::hana::template_<List>))::type;
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
