// The direction that separated two convex geoms last spares a query, and is nothing but that: contacts are the same whatever it holds.
#include "catch.hpp"
#include "collision/convex_scene.hpp"

using namespace convex_scene;

namespace {

CollisionResult<double> collide_after(int g1, int g2, const OwnGeom<double>& a, const OwnGeom<double>& b, double margin,
                                      Vec3<float>* last) {
    CollisionResult<double> out;
    collide_shapes(model(), g1, g2, a.view(), b.view(), margin, true, out, last);
    return out;
}

bool same_bits(const CollisionResult<double>& x, const CollisionResult<double>& y) {
    if (x.count != y.count) return false;
    for (int i = 0; i < x.count; ++i) {
        if (x.point[i].dist != y.point[i].dist) return false;
        for (int k = 0; k < 3; ++k)
            if (x.point[i].pos[k] != y.point[i].pos[k] || x.point[i].normal[k] != y.point[i].normal[k]) return false;
    }
    return true;
}

}  // namespace

TEST_CASE("Contacts do not depend on the direction in which geoms were separated before", "[collision]") {
    Random random(7);
    for (int g1 = sphere; g1 < count; ++g1)
        for (int g2 = g1; g2 < count; ++g2) {
            if (!is_convex_pair(g1, g2)) continue;
            INFO("geoms " << g1 << " and " << g2);
            int different = 0, touching = 0, apart = 0, spared = 0;
            for (int i = 0; i < poses / 20; ++i) {
                const auto a = shape_at(g1, vector(random, 0.05), rotation(random)),
                           b = shape_at(g2, vector(random, 0.3), rotation(random));
                const double margin = i % 3 == 0 ? 0.01 : 0;
                const auto cold = collide_after(g1, g2, a, b, margin, nullptr);
                // along the line of their centres and along any
                Vec3<float> found = Vec3<float>::zero();
                for (Vec3<float> last : {Vec3<float>::zero(), plain_vec<float>(normalize(Vec3<double>(b.pos - a.pos))),
                                         plain_vec<float>(normalize(vector(random, 1)))}) {
                    different += !same_bits(cold, collide_after(g1, g2, a, b, margin, &last));
                    found = last;
                }
                different += !same_bits(cold, collide_after(g1, g2, a, b, margin, &found));
                touching += cold.count > 0;
                if (cold.count > 0) continue;
                ++apart;
                auto o1 = convex_object<double>(model(), g1, a.view(), margin), o2 = convex_object<double>(model(), g2, b.view(), margin);
                spared += still_apart(model(), o1, o2, found);
                different += o1.vertex != -1 || o1.hull_vertex != -1 || o2.vertex != -1 || o2.hull_vertex != -1;
            }
            CHECK(different == 0);
            CHECK(touching > 0);
            CHECK(spared > 0.99 * apart);
        }
}
