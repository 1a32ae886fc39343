// Volume, centre of mass and inertia of a triangle mesh by MuJoCo's four rules (mesh_inertia::).
//
// A closed surface is a sum of signed tetrahedra from its faces to one point; their moments follow from the corners (D. Eberly,
// Polyhedral Mass Properties). exact: the mesh's own faces; convex: those of its hull; legacy: |volume| of each, so
// inconsistently wound faces add up; shell: the mass sits on the faces. Unit density; mesh frame.
#pragma once

#include "mjx/compile/inertia.hpp"
#include "mjx/model/spec.hpp"

namespace mjx::inner::compiler {

// Triangles of a mesh over a table of vertices, and the rule by which they hold mass.
struct MassTriangles {
    const List<Vec3d>& vert;
    const int* face;
    int nface;
    int rule;

    const Vec3d& corner(int i, int k) const { return vert[static_cast<std::size_t>(face[3 * i + k])]; }
};

struct Triangle {
    Vec3d normal = Vec3d::zero(), centre = Vec3d::zero();
    double area = 0;
};

inline Triangle triangle_of(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    Triangle t;
    for (int i = 0; i < 3; ++i) t.centre[i] = (a[i] + b[i] + c[i]) / 3;
    t.normal = cross(Vec3d(b - a), Vec3d(c - a));
    const double length = norm(t.normal);
    if (length < minval) return t;
    for (int i = 0; i < 3; ++i) t.normal[i] /= length;
    t.area = 0.5 * length;
    return t;
}

struct MassCentre {
    double amount = 0;  // volume or area
    Vec3d centre = Vec3d::zero();
};

// The area of the faces and its centroid.
inline MassCentre face_centroid(const MassTriangles& mesh) {
    MassCentre sum;
    for (int i = 0; i < mesh.nface; ++i) {
        const Triangle t = triangle_of(mesh.corner(i, 0), mesh.corner(i, 1), mesh.corner(i, 2));
        sum.centre += t.centre * t.area;
        sum.amount += t.area;
    }
    if (sum.amount >= minval)
        for (int i = 0; i < 3; ++i) sum.centre[i] /= sum.amount;
    return sum;
}

// The volume (area for shells) and the centre of mass, by pyramids over the faces with their tip at `tip`.
inline MassCentre mass_centre(const MassTriangles& mesh, const Vec3d& tip) {
    MassCentre sum;
    for (int i = 0; i < mesh.nface; ++i) {
        const Triangle t = triangle_of(mesh.corner(i, 0), mesh.corner(i, 1), mesh.corner(i, 2));
        double amount = mesh.rule == mesh_inertia::shell ? t.area : dot(Vec3d(t.centre - tip), t.normal) * t.area / 3;
        if (mesh.rule == mesh_inertia::legacy) amount = std::abs(amount);
        sum.amount += amount;
        for (int k = 0; k < 3; ++k) sum.centre[k] += amount * (t.centre[k] * 3.0 / 4.0 + tip[k] / 4.0);
    }
    if (sum.amount >= minval)
        for (int i = 0; i < 3; ++i) sum.centre[i] /= sum.amount;
    return sum;
}

struct MeshInertia {
    double amount = 0;                     // volume or area
    Vec6<double> moments = Vec6<double>::zero();  // xx yy zz xy xz yz about the origin
};

// The vertices are relative to the centre of mass.
inline MeshInertia mesh_moments(const MassTriangles& mesh) {
    constexpr int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    const int divisor = mesh.rule == mesh_inertia::shell ? 12 : 20;
    Vec6<double> product = Vec6<double>::zero();
    MeshInertia result;
    for (int i = 0; i < mesh.nface; ++i) {
        const Vec3d &a = mesh.corner(i, 0), &b = mesh.corner(i, 1), &c = mesh.corner(i, 2);
        const Triangle t = triangle_of(a, b, c);
        double amount = mesh.rule == mesh_inertia::shell ? t.area : dot(t.centre, t.normal) * t.area / 3;
        if (mesh.rule == mesh_inertia::legacy) amount = std::abs(amount);
        result.amount += amount;
        for (int j = 0; j < 6; ++j) {
            const int p = pair[j][0], q = pair[j][1];
            product[j] += amount / divisor *
                          (2 * (a[p] * a[q] + b[p] * b[q] + c[p] * c[q]) + a[p] * b[q] + a[q] * b[p] + a[p] * c[q] + a[q] * c[p] +
                           b[p] * c[q] + b[q] * c[p]);
        }
    }
    result.moments = {{product[1] + product[2], product[0] + product[2], product[0] + product[1], -product[3], -product[4], -product[5]}};
    return result;
}

}  // namespace mjx::inner::compiler
