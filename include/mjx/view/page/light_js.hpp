// The page's script, third part: the sky, and the lights that the scene has.
#pragma once

namespace mjx::inner::show {

inline constexpr const char* page_light = R"js(
// The first sky of the file, or a blue one.
class Sky {
    constructor(THREE, visual, textures) {
        const at = visual.textures.findIndex(t => t.type === SKYBOX && (t.builtin || t.pictures.some(p => p >= 0)));
        const given = visual.textures[at], cube = given && !given.builtin && textures.cube(at);
        const top = given ? given.rgb1 : [0.29, 0.5, 0.74], bottom = given?.builtin === GRADIENT ? given.rgb2 : top;
        this.horizon = given ? mix(bottom, top, 0.5) : [0.87, 0.91, 0.95];
        const paint = { side: THREE.BackSide, depthWrite: false, fog: false };
        if (cube) {
            this.mesh = new THREE.Mesh(new THREE.SphereGeometry(1, 32, 24),
                wrapInCube(new THREE.MeshBasicMaterial(paint), cube, new THREE.Vector3(1, 1, 1)));
            this.mesh.rotation.x = Math.PI / 2;  // up is the cube's y
        } else {
            const color = z => given ? mix(bottom, top, (1 + z) / 2) : mix(this.horizon, top, Math.max(0, z) ** 0.6);
            this.mesh = new THREE.Mesh(this.dome(THREE, color), new THREE.MeshBasicMaterial({ ...paint, vertexColors: true }));
        }
        this.mesh.renderOrder = -1;
        this.mesh.frustumCulled = false;
    }
    dome(THREE, colorAt) {
        const geometry = new THREE.SphereGeometry(1, 32, 24), place = geometry.attributes.position, colors = [];
        for (let i = 0; i < place.count; ++i) {
            const color = colorOf(THREE, colorAt(place.getZ(i)));
            colors.push(color.r, color.g, color.b);
        }
        geometry.setAttribute('color', new THREE.BufferAttribute(new Float32Array(colors), 3));
        return geometry;
    }
}

// The sky lights from all sides, a lamp at the camera a little, and the sun casts the shadows: the file's first light where it has
// one. Others of the file add to it without shadows.
class Lights {
    constructor(THREE, about, world, reach) {
        Object.assign(this, { THREE, reach });
        const view = about.visual, lamps = about.lights.filter(l => l.active).slice(0, 4);
        const unit = (THREE.REVISION | 0) >= 155 ? Math.PI : 1;  // newer versions count in physical units
        const strength = rgb => (rgb[0] + rgb[1] + rgb[2]) / 3;
        const ambient = view.headlight ? Math.min(0.6, strength(view.ambient) + strength(view.diffuse) * 0.7) : 0.1;
        this.hemisphere = new THREE.HemisphereLight(0xffffff, 0x8a8580, unit * Math.max(0.3, ambient));
        this.hemisphere.position.set(0, 0, 1);
        this.lamp = new THREE.DirectionalLight(0xffffff, unit * 0.12);
        world.add(this.hemisphere, this.lamp, this.lamp.target);
        const daylight = { diffuse: [0.98, 0.96, 0.92], dir: [-0.55, 0.3, -1] };
        this.suns = (lamps.length ? lamps : [daylight]).map((l, i) => {
            const power = lamps.length ? Math.min(1, 1.6 / lamps.length) : 1;
            const sun = new THREE.DirectionalLight(colorOf(THREE, l.diffuse), unit * power);
            sun.userData.dir = new THREE.Vector3(...l.dir).normalize();
            // straight from above leaves no shadow to see a body's height by
            if (Math.abs(sun.userData.dir.z) > 0.995) sun.userData.dir.set(-0.25, 0.2, -1).normalize();
            if (i === 0) this.setShadow(sun.shadow);
            world.add(sun, sun.target);
            return sun;
        });
    }
    setShadow(shadow) {
        const reach = 2.2 * this.reach;
        shadow.mapSize.set(2048, 2048);
        Object.assign(shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.01 * reach, far: 6 * reach });
        shadow.camera.updateProjectionMatrix();
        shadow.bias = -0.0005;
        shadow.normalBias = 0.002 * reach;
        shadow.radius = 2;
    }
    // `all` of them, or the sky and the sun.
    set(shadows, all) {
        this.suns[0].castShadow = shadows;
        for (const light of [this.lamp, ...this.suns.slice(1)]) light.visible = all;
    }
    // Lights go where the camera looks.
    follow(camera, target) {
        for (const sun of this.suns) {
            sun.target.position.copy(target);
            sun.position.copy(target).addScaledVector(sun.userData.dir, -6 * this.reach);
        }
        this.lamp.position.copy(camera.position);
        this.lamp.target.position.copy(target);
    }
}
)js";

}  // namespace mjx::inner::show
