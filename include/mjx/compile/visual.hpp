// make_visual: what the Spec says about looks, by the numbers of the model's objects.
#pragma once

#include "mjx/compile/tree.hpp"
#include "mjx/model/name_map.hpp"

#include <memory>

namespace mjx::inner::compiler {

// The number of each name in a list, the first of those that repeat.
template <class T>
NameMap numbers_of(const SpecList<T>& list) {
    NameMap numbers;
    int id = 0;
    for (const auto& item : list) numbers.add(item.name, id++);
    return numbers;
}

// Called when every material that is named is known to exist.
[[gnu::cold]] inline std::shared_ptr<const Visual> make_visual(const Tree& tree, const Spec& spec) {
    const auto visual = std::make_shared<Visual>();
    const auto textures = numbers_of(spec.textures), materials = numbers_of(spec.materials);
    const auto find = [](const NameMap& numbers, const std::string& name) {
        const int* found = name.empty() ? nullptr : numbers.find(name);
        return found ? *found : -1;
    };
    const auto look = [&](const auto& item) { return Look{item.rgba, find(materials, item.material)}; };
    visual->view = spec.view;
    for (const SpecTexture& t : spec.textures) visual->textures.push_back(t.look);
    for (const SpecMesh& m : spec.meshes)
        if (!m.file.empty() || !m.texcoord.empty()) visual->meshes.push_back({m.name, m.file, m.content_type, m.texcoord});
    for (const SpecMaterial& m : spec.materials) {
        visual->materials.push_back(m.look);
        visual->materials.back().texture = find(textures, m.texture);
    }
    for (const BodyNode* b : tree.bodies) {
        for (const GeomNode& g : b->geoms) visual->geoms.push_back(look(g));
        for (const SpecSite& s : b->sites) visual->sites.push_back(look(s));
        for (const SpecLight& l : b->lights) visual->lights.push_back(l.look);
    }
    for (const SpecTendon& t : spec.tendons) {
        visual->tendons.push_back(look(t));
        visual->tendon_width.push_back(static_cast<float>(t.width));
    }
    return visual;
}

}  // namespace mjx::inner::compiler
