// expect: WithOwn takes names of tables of real numbers that the model has
#include "mjx/parameters.hpp"

struct Rod {
    using real = double;
    static constexpr bool is_fixed = true;
    static constexpr mjx::inner::Option<double> opt{};
    template <class>
    using rebind = Rod;
    template <class Own, class Base>
    struct own_tables : Base {};
};
template <class F, class M>
constexpr void for_each_table(F&&, M&&) {}  // it has none

using Robot = mjx::WithOwn<Rod, "body_mas">;
