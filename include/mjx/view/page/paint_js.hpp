// The page's script, second part: colours, textures and materials. A paint is what covers a geom: the colour of its material and what its
// texture shows, a picture from a file or one of MuJoCo's builtin ones.
#pragma once

namespace mjx::inner::show {

inline constexpr const char* page_paint = R"js(
// MuJoCo's numbers of texture types, builtin textures and marks.
const FLAT = 0, SKYBOX = 2, GRADIENT = 1, CHECKER = 2, EDGE = 1, CROSS = 2, RANDOM = 3;
const sideLetters = 'RLUDFB', DOWN = 3, FRONT = 4;

const mix = (a, b, t) => a.map((x, i) => x * (1 - t) + b[i] * t);
const css = rgb => `rgb(${rgb.map(x => Math.round(255 * x)).join()})`;
const colorOf = (THREE, rgb) => new THREE.Color(rgb[0], rgb[1], rgb[2]).convertSRGBToLinear();

function newCanvas(width, height) {
    return Object.assign(document.createElement('canvas'), { width, height });
}

// ------------------------------------------------------------------ builtin textures, as MuJoCo draws them

// rgb1 at t = 1, rgb2 at t = -1.
function blend(rgb1, rgb2, t) {
    return mix(rgb2, rgb1, Math.min(1, Math.max(0, 0.5 + t / Math.sqrt(2 + 2 * t * t))));
}
function paintGradient(pen, size, color) {
    const image = pen.createImageData(size, size);
    for (let r = 0, at = 0; r < size; ++r) for (let c = 0; c < size; ++c, at += 4) {
        const rgb = color(2 * c / (size - 1) - 1, 1 - 2 * r / (size - 1));
        image.data.set([255 * rgb[0], 255 * rgb[1], 255 * rgb[2], 255], at);
    }
    pen.putImageData(image, 0, 0);
}
function paintChecker(pen, size, rgb1, rgb2) {
    pen.fillStyle = css(rgb1);
    pen.fillRect(0, 0, size, size);
    pen.fillStyle = css(rgb2);
    pen.fillRect(0, 0, size / 2, size / 2);
    pen.fillRect(size / 2, size / 2, size / 2, size / 2);
}
function paintMarks(pen, size, t) {
    pen.strokeStyle = pen.fillStyle = css(t.markrgb);
    pen.lineWidth = Math.max(1, size / 128);
    if (t.mark === EDGE) pen.strokeRect(0, 0, size, size);
    if (t.mark === CROSS) pen.strokeRect(-size, size / 2, 3 * size, 2 * size), pen.strokeRect(size / 2, -size, 2 * size, 3 * size);
    for (let n = t.mark === RANDOM ? t.random * size * size : 0, seed = 1; n > 0; --n) {
        seed = 1103515245 * seed + 12345 & 0x7fffffff;
        pen.fillRect((seed >> 8) % size, (seed >> 17) % size, 1, 1);
    }
}
// One side of a cube, by its place in sideLetters, or a flat one.
function builtinPicture(t, side = -1) {
    const size = Math.min(512, Math.max(16, t.pixels[0])), canvas = newCanvas(size, size), pen = canvas.getContext('2d');
    const quarter = Math.PI / 2, flat = side < 0, lid = side === 2 || side === DOWN;
    const height = (x, y) => lid ? (side === DOWN ? -1 : 1) * (1 - Math.acos(1 / Math.hypot(1, x, y)) / quarter)
                                 : Math.asin(y / Math.hypot(1, x, y)) / quarter;
    if (t.builtin === GRADIENT) paintGradient(pen, size, (x, y) => flat ? blend(t.rgb2, t.rgb1, 2 * Math.hypot(x, y) - 1)
                                                                        : blend(t.rgb1, t.rgb2, height(x, y)));
    else if (t.builtin === CHECKER) side < FRONT ? paintChecker(pen, size, t.rgb1, t.rgb2) : paintChecker(pen, size, t.rgb2, t.rgb1);
    else pen.fillStyle = css(side === DOWN ? t.rgb2 : t.rgb1), pen.fillRect(0, 0, size, size);
    paintMarks(pen, size, t);
    return canvas;
}

// ------------------------------------------------------------------ textures

class Textures {
    // images: the pictures of the scene, decoded; null for one that a browser cannot. sharp: also where they are seen from the side.
    constructor(THREE, list, images, sharp) {
        Object.assign(this, { THREE, list, images, sharp, made: new Map() });
    }
    once(key, make) {
        if (!this.made.has(key)) this.made.set(key, make());
        return this.made.get(key);
    }
    finish(texture) {
        const { THREE } = this;
        texture.anisotropy = this.sharp ? 16 : 1;
        if (THREE.SRGBColorSpace) texture.colorSpace = THREE.SRGBColorSpace;
        else texture.encoding = THREE.sRGBEncoding;
        texture.needsUpdate = true;
        return texture;
    }
    fromImage(image) {
        const texture = new this.THREE.Texture(image);
        texture.wrapS = texture.wrapT = this.THREE.RepeatWrapping;
        texture.flipY = false;
        return this.finish(texture);
    }
    // The flat texture t as it lies on an item (texture_mapping.hpp); undefined if there is nothing to show.
    flat(t, { repeat, offset }) {
        const given = this.list[t], image = given.builtin ? builtinPicture(given) : this.images[given.pictures[0]];
        if (!image) return;
        return this.once(JSON.stringify([t, repeat, offset]), () => {
            const texture = this.fromImage(image);
            texture.repeat.fromArray(repeat);
            texture.offset.fromArray(offset);
            return texture;
        });
    }
    // A floor without a texture gets squares of a metre, as the eye needs them.
    squares(rgb) {
        const canvas = newCanvas(512, 512);
        paintChecker(canvas.getContext('2d'), 512, mix(rgb, [1, 1, 1], 0.12), rgb.map(x => 0.82 * x));
        const texture = this.fromImage(canvas);
        texture.repeat.set(0.5, 0.5);
        return texture;
    }
    // The texture t around a cube.
    cube(t) {
        return this.once('cube' + t, () => {
            const given = this.list[t], sides = [...sideLetters].map((_, i) => this.side(given, i));
            return sides.some(Boolean) ? this.finish(new this.THREE.CubeTexture(this.equal(given, sides))) : undefined;
        });
    }
    side(given, i) {
        if (given.builtin) return builtinPicture(given, i);
        const image = this.images[given.pictures[given.single ? 0 : i]], [rows, columns] = given.gridsize;
        if (!image || !given.single || rows * columns < 2) return image;
        const cell = given.gridlayout.indexOf(sideLetters[i]), width = image.width / columns, height = image.height / rows;
        if (cell < 0) return;
        const canvas = newCanvas(Math.round(width), Math.round(height));
        canvas.getContext('2d').drawImage(image, width * (cell % columns), height * Math.floor(cell / columns), width, height, 0, 0,
            canvas.width, canvas.height);
        return canvas;
    }
    // Sides of one size: a missing one has the first colour.
    equal(given, sides) {
        const size = Math.max(...sides.map(image => image?.width || 1)), [x, y] = given.flip.map(flip => flip ? -1 : 1);
        return sides.map(image => {
            const canvas = newCanvas(size, size), pen = canvas.getContext('2d');
            pen.fillStyle = css(given.rgb1);
            pen.fillRect(0, 0, size, size);
            pen.setTransform(x, 0, 0, y, x < 0 ? size : 0, y < 0 ? size : 0);
            if (image) pen.drawImage(image, 0, 0, size, size);
            return canvas;
        });
    }
}

// ------------------------------------------------------------------ paints

// Shows the side of a cube that a point lies on, seen from the centre: its place in the geom's frame times `scale`.
function wrapInCube(material, cube, scale) {
    material.onBeforeCompile = shader => {
        Object.assign(shader.uniforms, { sides: { value: cube }, sideScale: { value: scale } });
        const add = (text, after, what) => text.replace(`#include <${after}>`, `#include <${after}>\n${what}`);
        shader.vertexShader = add(add(shader.vertexShader, 'common', 'uniform vec3 sideScale;\nvarying vec3 sidePlace;'),
            'begin_vertex', 'sidePlace = sideScale * position;');
        shader.fragmentShader = add(add(shader.fragmentShader, 'common', 'uniform samplerCube sides;\nvarying vec3 sidePlace;'),
            'map_fragment', 'diffuseColor *= textureCube(sides, sidePlace);');
    };
    material.customProgramCacheKey = () => 'cube';
    return material;
}

const plainLook = { emission: 0, specular: 0.5, shininess: 0.5, roughness: -1, metallic: -1, texture: -1 };

class Paints {
    constructor(THREE, visual, images, sharp) {
        Object.assign(this, { THREE, visual, textures: new Textures(THREE, visual.textures, images, sharp), made: new Map() });
    }
    // What covers an item. Equal ones are shared.
    of(item) {
        const look = this.visual.materials[item.material] || plainLook, t = look.texture, texture = this.visual.textures[t];
        if (item.floor) return this.ofFloor(item, look);
        if (texture && texture.type === FLAT) return this.material(item.rgba, look, this.textures.flat(t, item));
        const cube = texture && this.textures.cube(t);
        return this.material(item.rgba, look, undefined, cube, cube && new this.THREE.Vector3(...item.wrap));
    }
    ofFloor(item, look) {
        const texture = this.visual.textures[look.texture], dull = { ...look, specular: 0.2, shininess: 0.2, roughness: -1, metallic: -1 };
        const given = texture && texture.type === FLAT && this.textures.flat(look.texture, item);
        if (given) return this.material(item.rgba, dull, given);
        return this.material([1, 1, 1, item.rgba[3]], dull, this.textures.squares(item.rgba.slice(0, 3)));
    }
    material(rgba, look, map, cube, scale) {
        const key = JSON.stringify([rgba, look, map?.uuid, cube?.uuid, scale]), found = this.made.get(key);
        if (found) return found;
        const { THREE } = this, clear = rgba[3] < 1;
        const shared = { color: colorOf(THREE, rgba), transparent: clear, opacity: rgba[3], depthWrite: rgba[3] > 0.5, map: map || null };
        const rough = look.roughness >= 0 ? look.roughness : Math.max(0.25, 1 - 1.8 * look.shininess * look.specular);
        const fine = new THREE.MeshStandardMaterial({ ...shared, roughness: rough, metalness: Math.max(0, look.metallic) });
        const plain = new THREE.MeshLambertMaterial(shared);
        for (const material of [fine, plain]) {
            if (look.emission > 0) material.emissive = colorOf(THREE, rgba).multiplyScalar(Math.min(1, look.emission));
            if (cube) wrapInCube(material, cube, scale);
        }
        const paint = { fine, plain, clear };
        this.made.set(key, paint);
        return paint;
    }
}
)js";

}  // namespace mjx::inner::show
