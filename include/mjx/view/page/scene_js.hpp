// The page's script, fourth part: three.js objects for everything in a scene, and how they follow a frame. z is up.
#pragma once

namespace mjx::inner::show {

inline constexpr const char* page_scene = R"js(
// Vertices, normals, texture coordinates and indices as scene_text.hpp packs them.
function readSurfaces(THREE, list, buffer) {
    let at = 0;
    const take = (type, n) => { const part = new type(buffer, at, n); at += part.byteLength + 3 & ~3; return part; };
    return list.map(s => {
        at = at + 3 & ~3;
        const places = take(Uint16Array, 3 * s.vertices), fractions = take(Int8Array, 3 * s.vertices);
        const uv = s.uv ? take(Float32Array, 2 * s.vertices) : null;
        const index = take(s.vertices <= 65536 ? Uint16Array : Uint32Array, s.indices);
        const geometry = new THREE.BufferGeometry();
        const vertices = Float32Array.from(places, (p, i) => s.low[i % 3] + p * s.step[i % 3]);
        geometry.setAttribute('position', new THREE.BufferAttribute(vertices, 3));
        geometry.setAttribute('normal', new THREE.BufferAttribute(Float32Array.from(fractions, f => f / 127), 3));
        // without coordinates of its own a surface is seen along z
        const seen = uv || Float32Array.from({ length: 2 * s.vertices }, (_, i) => vertices[3 * (i >> 1) + (i & 1)]);
        geometry.setAttribute('uv', new THREE.BufferAttribute(seen, 2));
        geometry.setIndex(new THREE.BufferAttribute(index, 1));
        return geometry;
    });
}

// The same surface in fewer triangles, for machines that count them: vertices in the same cell of a grid become one (Rossignac and Borrel
// 1993). `cells` go along its longest side.
function coarsened(THREE, geometry, cells) {
    const { position, normal, uv } = geometry.attributes, index = geometry.index.array, made = new Map();
    if (index.length < 9 * cells) return geometry;
    geometry.computeBoundingBox();
    const { min, max } = geometry.boundingBox, cell = Math.max(max.x - min.x, max.y - min.y, max.z - min.z, 1e-9) / cells;
    const place = Uint32Array.from({ length: position.count }, (_, i) => {
        const at = ['x', 'y', 'z'].map((k, j) => Math.round((position.array[3 * i + j] - min[k]) / cell));
        const key = (at[0] * 1024 + at[1]) * 1024 + at[2];
        if (!made.has(key)) made.set(key, { number: made.size, n: 0, sums: new Float64Array(8) });
        const { number, sums } = made.get(key);
        made.get(key).n += 1;
        for (let j = 0; j < 3; ++j) sums[j] += position.array[3 * i + j], sums[3 + j] += normal.array[3 * i + j];
        for (let j = 0; j < 2; ++j) sums[6 + j] += uv.array[2 * i + j];
        return number;
    });
    const faces = [];
    for (let i = 0; i < index.length; i += 3) {
        const [a, b, c] = [place[index[i]], place[index[i + 1]], place[index[i + 2]]];
        if (a !== b && b !== c && c !== a) faces.push(a, b, c);
    }
    const coarse = new THREE.BufferGeometry(), all = [...made.values()];
    const means = (from, n) => all.flatMap(v => [...v.sums.subarray(from, from + n)].map(x => x / v.n));
    const take = (from, n) => new THREE.BufferAttribute(Float32Array.from(means(from, n)), n);
    coarse.setAttribute('position', take(0, 3));
    coarse.setAttribute('normal', take(3, 3));
    coarse.setAttribute('uv', take(6, 2));
    coarse.setIndex(faces);
    coarse.normalizeNormals();
    return coarse;
}

class Picture {
    constructor(THREE, about, surfaces, images, sharp) {
        Object.assign(this, { THREE, about });
        this.world = new THREE.Scene();
        this.surfaces = readSurfaces(THREE, about.surfaces, surfaces);
        this.paints = new Paints(THREE, about.visual, images, sharp);
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
        this.quality = { fine: true, shadows: true };
        this.batches = [];
        this.coarse = [];
        this.geoms = about.geoms.map(g => this.addItem(g));
        this.sites = about.sites.map(g => this.addItem(g));
        this.reach = this.bounds().radius;
        this.weight = about.bodies.reduce((sum, b) => sum + 9.81 * b.mass, 0);
        this.pools = { tendon: this.pool(), point: this.pool(), force: this.pool() };
        this.sky = new Sky(THREE, about.visual, this.paints.textures);
        this.lights = new Lights(THREE, about, this.world, this.reach);
        this.world.add(this.sky.mesh);
        const far = Math.max(1, this.reach);
        this.world.fog = new THREE.Fog(colorOf(THREE, this.sky.horizon), 9 * far, 50 * far);
        this.show();
    }

    // A sphere around all that is not a floor.
    bounds() {
        const { THREE } = this, box = new THREE.Box3();
        this.world.updateMatrixWorld(true);
        for (const mesh of this.geoms) if (!mesh.userData.floor && mesh.visible) box.expandByObject(mesh);
        if (box.isEmpty()) return { center: new THREE.Vector3(...this.about.center), radius: this.about.extent };
        return { center: box.getCenter(new THREE.Vector3()), radius: box.getSize(new THREE.Vector3()).length() / 2 };
    }

    // ---------------------------------------------------------------- geoms and sites

    addItem(item) {
        const { THREE } = this, { floor } = item, paint = this.paints.of(item);
        const mesh = new THREE.Mesh(floor ? this.floor(item) : this.surfaces[item.surface], paint.fine);
        mesh.position.fromArray(item.pos);
        mesh.quaternion.set(item.quat[1], item.quat[2], item.quat[3], item.quat[0]);
        mesh.receiveShadow = item.rgba[3] > 0.5;
        mesh.castShadow = mesh.receiveShadow && !floor;
        mesh.userData = item;
        mesh.paint = paint;
        this.bodies[item.body].add(mesh);
        return mesh;
    }
    // Its texture coordinates are x and y.
    floor(item) {
        const far = 200 * Math.max(1, this.about.extent), half = [0, 1].map(i => item.size[i] > 0 ? item.size[i] : far);
        const geometry = new this.THREE.PlaneGeometry(2 * half[0], 2 * half[1]), place = geometry.attributes.position;
        for (let i = 0; i < place.count; ++i) geometry.attributes.uv.setXY(i, place.getX(i), place.getY(i));
        return geometry;
    }
    surface(i) {
        const { triangles } = this.quality, cells = Math.floor(Math.sqrt(triangles / this.geoms.length / 2.5));
        if (!triangles) return this.surfaces[i];
        return this.coarse[i] ||= coarsened(this.THREE, this.surfaces[i], Math.min(20, Math.max(4, cells)));
    }
    // Which items are seen: groups as MuJoCo counts them, and with `collision` what collides, by the surfaces that do.
    show() {
        const { shown, groups, quality } = this, inGroup = g => groups[Math.min(5, Math.max(0, g.group))];
        for (const mesh of this.geoms) {
            const g = mesh.userData;
            mesh.visible = shown.collision ? g.collides : inGroup(g);
            if (!g.floor) mesh.geometry = this.surface(shown.collision && g.hull >= 0 ? g.hull : g.surface);
        }
        for (const mesh of this.sites) mesh.visible = shown.sites && inGroup(mesh.userData);
        for (const mesh of [...this.geoms, ...this.sites]) mesh.material = quality.fine ? mesh.paint.fine : mesh.paint.plain;
        for (const kind of ['axes', 'masses', 'inertias']) {
            if (shown[kind] && !this[kind]) this[kind] = this.makeMarks(kind);
            for (const mark of this[kind] || []) mark.visible = shown[kind];
        }
        this.lights.set(shown.shadows && quality.shadows, quality.fine);
        this.batch();
    }
    // Items of the same surface and paint are drawn at once, however many they are: a page draws twenty robots as fast as one. Those one
    // can see through are drawn one by one, from far to near. The camera does not see layer 1; the mouse does.
    batch() {
        const { THREE, world } = this, groups = new Map();
        for (const batch of this.batches) world.remove(batch), batch.dispose?.();
        for (const mesh of [...this.geoms, ...this.sites]) {
            const alone = mesh.paint.clear || mesh.userData.floor;
            mesh.layers.set(alone ? 0 : 1);
            const key = mesh.geometry.uuid + mesh.material.uuid;
            if (!alone) groups.set(key, [...groups.get(key) || [], mesh]);
        }
        this.batches = [...groups.values()].map(meshes => {
            const batch = new THREE.InstancedMesh(meshes[0].geometry, meshes[0].material, meshes.length);
            const { castShadow, receiveShadow } = meshes[0];
            Object.assign(batch, { meshes, castShadow, receiveShadow, frustumCulled: false });
            world.add(batch);
            return batch;
        });
    }
    // Brings the batches to where their items are.
    fill() {
        this.world.updateMatrixWorld();
        for (const batch of this.batches) {
            batch.count = 0;
            for (const mesh of batch.meshes) if (mesh.visible) batch.setMatrixAt(batch.count++, mesh.matrixWorld);
            batch.visible = batch.count > 0;
            batch.instanceMatrix.needsUpdate = true;
        }
    }
    // Lights and sky go with the camera.
    follow(camera, target) {
        this.lights.follow(camera, target);
        this.sky.mesh.position.copy(camera.position);
        this.sky.mesh.scale.setScalar(camera.far * 0.9);
    }

    // ---------------------------------------------------------------- what comes and goes

    unitCylinder() {
        const geometry = new this.THREE.CylinderGeometry(1, 1, 1, 12);
        geometry.rotateX(Math.PI / 2);  // along z
        return geometry;
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
        if (kind === 'axes') return about.joints.filter(j => j.hasAxis).map(j => {
            const mesh = mark(j.body, this.unitCylinder(), j.turns ? 0x2f7fd6 : 0x35b36a);
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
    // Cylinders that are there when needed, drawn at once: start(), next(from, to, radius, rgb) ..., finish().
    pool() {
        const { THREE, world } = this, geometry = this.unitCylinder(), paint = new THREE.MeshLambertMaterial();
        const way = new THREE.Vector3(), up = new THREE.Vector3(0, 0, 1), matrix = new THREE.Matrix4(), turn = new THREE.Quaternion();
        let wanted = [], batch = null;
        const grow = () => {
            if (batch) world.remove(batch), batch.dispose?.();
            batch = new THREE.InstancedMesh(geometry, paint, 2 * wanted.length);
            Object.assign(batch, { castShadow: true, frustumCulled: false });
            world.add(batch);
        };
        return {
            start() { wanted = []; },
            next(...cylinder) { wanted.push(cylinder); },
            finish() {
                if (wanted.length > (batch ? batch.instanceMatrix.count : 0)) grow();
                if (batch) batch.count = 0;
                for (const [from, to, radius, rgb] of wanted) {
                    const length = way.set(to[0] - from[0], to[1] - from[1], to[2] - from[2]).length();
                    if (!length) continue;
                    turn.setFromUnitVectors(up, way.divideScalar(length));
                    matrix.compose(way.set((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, (from[2] + to[2]) / 2), turn,
                        new THREE.Vector3(radius, radius, length));
                    batch.setColorAt?.(batch.count, colorOf(THREE, rgb));
                    batch.setMatrixAt(batch.count++, matrix);
                }
                if (!batch) return;
                batch.visible = batch.count > 0;
                batch.instanceMatrix.needsUpdate = true;
                if (batch.instanceColor) batch.instanceColor.needsUpdate = true;
            },
            get used() { return batch ? batch.count : 0; },
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
        const { point, force } = this.pools, { shown, weight } = this, size = this.reach;
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
