// The page's script, second part: three.js objects for everything in a scene, and how they follow a frame. z is up.
#pragma once

namespace mjx::inner::show {

inline constexpr const char* page_scene = R"js(
const PLANE = 0, SKYBOX = 2, GRADIENT = 1, CHECKER = 2;
const HINGE = 3, SLIDE = 2;
const hasAxis = joint => joint.type === HINGE || joint.type === SLIDE;

const mix = (a, b, t) => a.map((x, i) => x * (1 - t) + b[i] * t);
function colorOf(THREE, rgb) {
    const color = new THREE.Color(rgb[0], rgb[1], rgb[2]);
    return color.convertSRGBToLinear();
}

// Vertices, normals and indices as scene_text.hpp packs them.
function readSurfaces(THREE, list, buffer) {
    let at = 0;
    const take = (type, n) => { const part = new type(buffer, at, n); at += part.byteLength + 3 & ~3; return part; };
    return list.map(s => {
        at = at + 3 & ~3;
        const places = take(Uint16Array, 3 * s.vertices), fractions = take(Int8Array, 3 * s.vertices);
        const index = take(s.vertices <= 65536 ? Uint16Array : Uint32Array, s.indices);
        const geometry = new THREE.BufferGeometry();
        const vertices = Float32Array.from(places, (p, i) => s.low[i % 3] + p * s.step[i % 3]);
        geometry.setAttribute('position', new THREE.BufferAttribute(vertices, 3));
        geometry.setAttribute('normal', new THREE.BufferAttribute(Float32Array.from(fractions, f => f / 127), 3));
        geometry.setIndex(new THREE.BufferAttribute(index, 1));
        return geometry;
    });
}

// Two by two squares, with lines along the edges where the texture is marked so.
function checkerTexture(THREE, rgb1, rgb2, edge) {
    const size = 512, canvas = document.createElement('canvas'), css = rgb => `rgb(${rgb.map(x => Math.round(255 * x)).join()})`;
    canvas.width = canvas.height = size;
    const pen = canvas.getContext('2d');
    pen.fillStyle = css(rgb1);
    pen.fillRect(0, 0, size, size);
    pen.fillStyle = css(rgb2);
    pen.fillRect(0, 0, size / 2, size / 2);
    pen.fillRect(size / 2, size / 2, size / 2, size / 2);
    if (edge) {
        pen.strokeStyle = css(edge);
        pen.lineWidth = size / 128;
        pen.strokeRect(0, 0, size, size);
        pen.strokeRect(-size, size / 2, 3 * size, 2 * size);
        pen.strokeRect(size / 2, -size, 2 * size, 3 * size);
    }
    const texture = new THREE.CanvasTexture(canvas);
    texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
    texture.anisotropy = 16;
    if (THREE.SRGBColorSpace) texture.colorSpace = THREE.SRGBColorSpace;
    else texture.encoding = THREE.sRGBEncoding;
    return texture;
}

class Picture {
    constructor(THREE, about, surfaces) {
        Object.assign(this, { THREE, about });
        this.light = (THREE.REVISION | 0) >= 155 ? Math.PI : 1;  // newer versions count in physical units
        this.world = new THREE.Scene();
        this.surfaces = readSurfaces(THREE, about.surfaces, surfaces);
        this.materials = new Map();
        this.bodies = about.bodies.map(b => {
            const body = new THREE.Group();
            body.position.fromArray(b.pos);
            body.quaternion.set(b.quat[1], b.quat[2], b.quat[3], b.quat[0]);
            this.world.add(body);
            return body;
        });
        this.groups = [true, true, true, false, false, false];
        this.shown = { sites: false, tendons: true, contacts: false, forces: false, axes: false, masses: false, inertias: false,
            collision: false, shadows: true };
        this.geoms = about.geoms.map(g => this.addItem(g));
        this.sites = about.sites.map(g => this.addItem(g));
        this.reach = this.bounds().radius;
        this.pools = { tendon: this.pool(), point: this.pool(), force: this.pool() };
        this.addSky();
        this.addLights();
        this.show();
    }

    // A sphere around all that is not a floor.
    bounds() {
        const { THREE } = this, box = new THREE.Box3();
        this.world.updateMatrixWorld(true);
        for (const mesh of this.geoms) if (mesh.userData.type !== PLANE && mesh.visible) box.expandByObject(mesh);
        if (box.isEmpty()) return { center: new THREE.Vector3(...this.about.center), radius: this.about.extent };
        return { center: box.getCenter(new THREE.Vector3()), radius: box.getSize(new THREE.Vector3()).length() / 2 };
    }

    // ---------------------------------------------------------------- surfaces and colours

    unitCylinder() {
        const geometry = new this.THREE.CylinderGeometry(1, 1, 1, 12);
        geometry.rotateX(Math.PI / 2);  // along z
        return geometry;
    }
    // A texture without its picture: what is left is its mean colour.
    tint(item) {
        const look = this.about.visual.materials[item.material], texture = look && this.about.visual.textures[look.texture];
        if (!texture || !texture.builtin) return [1, 1, 1];
        return texture.builtin === GRADIENT || texture.builtin === CHECKER ? mix(texture.rgb1, texture.rgb2, 0.5) : texture.rgb1;
    }
    material(rgba, look, map) {
        const key = JSON.stringify([rgba, look, map?.uuid]), found = this.materials.get(key);
        if (found) return found;
        const THREE = this.THREE, given = look || { emission: 0, specular: 0.5, shininess: 0.5, roughness: -1, metallic: -1 };
        const material = new THREE.MeshStandardMaterial({
            color: colorOf(THREE, rgba), transparent: rgba[3] < 1, opacity: rgba[3], map: map || null, depthWrite: rgba[3] > 0.5,
            roughness: given.roughness >= 0 ? given.roughness : Math.max(0.25, 1 - 0.9 * given.shininess * given.specular * 2),
            metalness: given.metallic >= 0 ? given.metallic : 0 });
        if (given.emission > 0) material.emissive = colorOf(THREE, rgba).multiplyScalar(Math.min(1, given.emission));
        this.materials.set(key, material);
        return material;
    }
    addItem(item) {
        const { THREE, about } = this;
        if (item.type === PLANE) return this.addPlane(item);
        const tint = this.tint(item), rgba = item.rgba.map((x, i) => i < 3 ? x * tint[i] : x);
        const mesh = new THREE.Mesh(this.surfaces[item.surface], this.material(rgba, about.visual.materials[item.material]));
        mesh.castShadow = mesh.receiveShadow = rgba[3] > 0.5;
        return this.place(mesh, item);
    }
    place(mesh, item) {
        mesh.position.fromArray(item.pos);
        mesh.quaternion.set(item.quat[1], item.quat[2], item.quat[3], item.quat[0]);
        mesh.userData = item;
        this.bodies[item.body].add(mesh);
        return mesh;
    }
    // Planes repeat their checkers in metres (texuniform) or over their own size; those without a texture get some, as the eye needs them.
    addPlane(item) {
        const { THREE, about } = this, look = about.visual.materials[item.material];
        const far = 200 * Math.max(1, about.extent), half = [0, 1].map(i => item.size[i] > 0 ? item.size[i] : far);
        const given = look && about.visual.textures[look.texture], checkered = given && given.builtin === CHECKER;
        const rgb = item.rgba.slice(0, 3), white = [1, 1, 1, item.rgba[3]];
        const pale = mix(rgb, [1, 1, 1], 0.12), dark = rgb.map(x => 0.82 * x);
        const texture = checkered ? checkerTexture(THREE, given.rgb1, given.rgb2, given.mark === 1 && given.markrgb)
                                  : given?.builtin ? null : checkerTexture(THREE, pale, dark);
        const geometry = new THREE.PlaneGeometry(2 * half[0], 2 * half[1]);
        if (texture) {
            const place = geometry.attributes.position, uv = geometry.attributes.uv;
            for (let i = 0; i < place.count; ++i) {
                const at = [place.getX(i), place.getY(i)];
                const turns = at.map((x, k) => !checkered ? x / 2
                    : look.texuniform || !(item.size[k] > 0) ? x * look.texrepeat[k] : (x / half[k] + 1) / 2 * look.texrepeat[k]);
                uv.setXY(i, turns[0], turns[1]);
            }
        }
        const tint = this.tint(item), color = texture ? (checkered ? item.rgba : white) : item.rgba.map((x, i) => i < 3 ? x * tint[i] : x);
        const mesh = new THREE.Mesh(geometry, this.material(color, { ...(look || {}), emission: 0, specular: 0.2, shininess: 0.2,
            roughness: -1, metallic: -1 }, texture));
        mesh.receiveShadow = true;
        return this.place(mesh, item);
    }

    // ---------------------------------------------------------------- sky and lights

    addSky() {
        const { THREE, about } = this, sky = about.visual.textures.find(t => t.type === SKYBOX && t.builtin);
        const top = sky ? sky.rgb1 : [0.29, 0.5, 0.74];
        const bottom = sky ? (sky.builtin === GRADIENT ? sky.rgb2 : sky.rgb1) : [0.92, 0.95, 0.98];
        this.horizon = sky ? mix(bottom, top, 0.5) : [0.87, 0.91, 0.95];
        const geometry = new THREE.SphereGeometry(1, 32, 24), place = geometry.attributes.position, colors = [];
        for (let i = 0; i < place.count; ++i) {
            const z = place.getZ(i), up = sky ? (1 + z) / 2 : Math.max(0, z) ** 0.6;
            const color = colorOf(THREE, sky ? mix(bottom, top, up) : mix(this.horizon, top, up));
            colors.push(color.r, color.g, color.b);
        }
        geometry.setAttribute('color', new THREE.BufferAttribute(new Float32Array(colors), 3));
        const paint = new THREE.MeshBasicMaterial({ vertexColors: true, side: THREE.BackSide, depthWrite: false, fog: false });
        this.sky = new THREE.Mesh(geometry, paint);
        this.sky.renderOrder = -1;
        this.sky.frustumCulled = false;
        this.world.add(this.sky);
        const reach = Math.max(1, this.reach);
        this.world.fog = new THREE.Fog(colorOf(THREE, this.horizon), 9 * reach, 50 * reach);
    }
    // The sky lights from all sides, a lamp at the camera a little, and the sun casts the shadows: the file's first light where it has
    // one. Others of the file add to it without shadows.
    addLights() {
        const { THREE, about, light } = this, view = about.visual;
        const lamps = about.lights.filter(l => l.active).slice(0, 4);
        const strength = rgb => (rgb[0] + rgb[1] + rgb[2]) / 3;
        const ambient = view.headlight ? Math.min(0.6, strength(view.ambient) + strength(view.diffuse) * 0.7) : 0.1;
        this.hemisphere = new THREE.HemisphereLight(0xffffff, 0x8a8580, light * Math.max(0.3, ambient));
        this.hemisphere.position.set(0, 0, 1);
        this.world.add(this.hemisphere);
        this.lamp = new THREE.DirectionalLight(0xffffff, light * 0.12);
        this.world.add(this.lamp, this.lamp.target);
        const daylight = { diffuse: [0.98, 0.96, 0.92], dir: [-0.55, 0.3, -1] };
        this.suns = (lamps.length ? lamps : [daylight]).map((l, i) => {
            const power = lamps.length ? Math.min(1, 1.6 / lamps.length) : 1;
            const sun = new THREE.DirectionalLight(colorOf(THREE, l.diffuse), light * power);
            sun.userData.dir = new THREE.Vector3(...l.dir).normalize();
            // straight from above leaves no shadow to see a body's height by
            if (Math.abs(sun.userData.dir.z) > 0.995) sun.userData.dir.set(-0.25, 0.2, -1).normalize();
            sun.castShadow = i === 0;
            if (sun.castShadow) this.setShadow(sun.shadow);
            this.world.add(sun, sun.target);
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
    // Lights and sky go where the camera looks.
    follow(camera, target) {
        const reach = 6 * this.reach;
        for (const sun of this.suns) {
            sun.target.position.copy(target);
            sun.position.copy(target).addScaledVector(sun.userData.dir, -reach);
        }
        this.lamp.position.copy(camera.position);
        this.lamp.target.position.copy(target);
        this.sky.position.copy(camera.position);
        this.sky.scale.setScalar(camera.far * 0.9);
    }

    // ---------------------------------------------------------------- what comes and goes

    // Which items are seen: groups as MuJoCo counts them, and with `collision` what collides, by the surfaces that do.
    show() {
        const { shown, groups } = this;
        for (const mesh of this.geoms) {
            const g = mesh.userData;
            mesh.visible = shown.collision ? g.collides : groups[Math.min(5, Math.max(0, g.group))];
            if (g.type !== PLANE) mesh.geometry = this.surfaces[shown.collision && g.hull >= 0 ? g.hull : g.surface];
        }
        for (const mesh of this.sites) mesh.visible = shown.sites && groups[Math.min(5, Math.max(0, mesh.userData.group))];
        for (const kind of ['axes', 'masses', 'inertias']) {
            if (shown[kind] && !this[kind]) this[kind] = this.makeMarks(kind);
            for (const mark of this[kind] || []) mark.visible = shown[kind];
        }
        this.suns[0].castShadow = shown.shadows;
    }
    makeMarks(kind) {
        const { THREE, about } = this, size = this.reach;
        const mark = (body, geometry, color, opacity = 1) => {
            const paint = new THREE.MeshBasicMaterial({ color, transparent: true, opacity, depthTest: kind === 'inertias', fog: false });
            const mesh = new THREE.Mesh(geometry, paint);
            mesh.renderOrder = 1;
            this.bodies[body].add(mesh);
            return mesh;
        };
        if (kind === 'axes') return about.joints.filter(hasAxis).map(j => {
            const mesh = mark(j.body, this.unitCylinder(), j.type === HINGE ? 0x2f7fd6 : 0x35b36a);
            mesh.scale.set(0.006 * size, 0.006 * size, 0.2 * size);
            mesh.position.fromArray(j.pos);
            mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), new THREE.Vector3(...j.axis).normalize());
            return mesh;
        });
        const massive = about.bodies.map((b, i) => ({ ...b, i })).filter(b => b.mass > 0 && b.i > 0);
        return massive.map(b => {
            const masses = kind === 'masses';
            const mesh = masses ? mark(b.i, new THREE.SphereGeometry(0.012 * size, 16, 12), 0xe8b23a)
                                : mark(b.i, new THREE.BoxGeometry(2 * b.box[0], 2 * b.box[1], 2 * b.box[2]), 0xd94b3d, 0.45);
            mesh.position.fromArray(b.ipos);
            mesh.quaternion.set(b.iquat[1], b.iquat[2], b.iquat[3], b.iquat[0]);
            return mesh;
        });
    }
    // Cylinders that are there when needed: next(from, to, radius, color).
    pool() {
        const { THREE, world } = this, geometry = this.unitCylinder(), all = [], way = new THREE.Vector3(), up = new THREE.Vector3(0, 0, 1);
        let used = 0;
        return {
            start() { used = 0; },
            next: (from, to, radius, rgb) => {
                if (used === all.length) {
                    all.push(new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ roughness: 0.6 })));
                    all[used].castShadow = true;
                    world.add(all[used]);
                }
                const mesh = all[used++];
                way.set(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
                const length = way.length();
                mesh.visible = length > 0;
                if (!length) return;
                mesh.position.set((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, (from[2] + to[2]) / 2);
                mesh.quaternion.setFromUnitVectors(up, way.divideScalar(length));
                mesh.scale.set(radius, radius, length);
                mesh.material.color.copy(colorOf(THREE, rgb));
            },
            finish() { for (let i = used; i < all.length; ++i) all[i].visible = false; },
        };
    }

    // ---------------------------------------------------------------- a frame

    apply(frame) {
        this.bodies.forEach((body, i) => {
            const p = frame.pose, at = 7 * i;
            body.position.set(p[at], p[at + 1], p[at + 2]);
            body.quaternion.set(p[at + 4], p[at + 5], p[at + 6], p[at + 3]).normalize();
        });
        this.drawTendons(frame.path);
        this.drawContacts(frame.contact);
    }
    drawTendons(path) {
        const { tendon } = this.pools, { about, shown } = this;
        tendon.start();
        for (let t = 0, at = 0; shown.tendons && at < path.length; ++t) {
            const n = path[at++];
            for (let i = 0; i + 1 < n; ++i) {
                const from = path.slice(at + 3 * i, at + 3 * i + 3), to = path.slice(at + 3 * i + 3, at + 3 * i + 6);
                if (from[0] === from[0] && to[0] === to[0]) tendon.next(from, to, about.tendon_width[t], about.tendon_rgba[t]);
            }
            at += 3 * n;
        }
        tendon.finish();
    }
    drawContacts(contact) {
        const { point, force } = this.pools, { shown, about } = this, size = this.reach;
        let weight = 0;
        for (const b of about.bodies) weight += 9.81 * b.mass;
        point.start();
        force.start();
        for (let at = 0; at < contact.length; at += 9) {
            const [x, y, z, nx, ny, nz, fx, fy, fz] = contact.subarray(at, at + 9);
            const thin = 0.003 * size, long = 0.4 * size / Math.max(weight, 1e-9);
            const along = t => [x + t * nx, y + t * ny, z + t * nz];
            if (shown.contacts) point.next(along(-thin), along(thin), 0.012 * size, [0.95, 0.6, 0.2]);
            if (shown.forces) force.next([x, y, z], [x + fx * long, y + fy * long, z + fz * long], 0.005 * size, [0.75, 0.9, 0.75]);
        }
        point.finish();
        force.finish();
    }
}
)js";

}  // namespace mjx::inner::show
