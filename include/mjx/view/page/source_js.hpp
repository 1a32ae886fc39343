// The page's script, first part: where three.js, the scene and its frames come from. They are inside the page (a recording) or
// come from a running simulation. The parts share one module scope.
#pragma once

namespace mjx::inner::show {

inline constexpr const char* page_source = R"js(
const $ = id => document.getElementById(id);

// ------------------------------------------------------------------ recordings: elements <script type="text/plain" id="mjx-...">

async function embedded(id) {
    const bytes = Uint8Array.from(atob($(id).textContent.trim()), c => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
    return new Response(stream).arrayBuffer();
}
const embeddedText = async id => new TextDecoder().decode(await embedded(id));
const moduleUrl = text => URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));

const recorded = !!$('mjx-scene');

async function loadThree() {
    if (!recorded) return import('./three.module.js');
    let module = await embeddedText('mjx-three-module');
    if ($('mjx-three-core')) module = module.replaceAll('./three.core.js', moduleUrl(await embeddedText('mjx-three-core')));
    return import(moduleUrl(module));
}

// The pictures of a scene's textures, decoded; null for one that the browser does not read.
const loadPictures = (count, url) => Promise.all(Array.from({ length: count }, async (_, i) => {
    const image = new Image();
    image.src = await url(i);
    return image.decode().then(() => image, () => null);
}));

// A recording: frame(time) is between the two that were kept. Numbers are 16-bit places between a channel's least and greatest value,
// each written as its difference from the one before, the low bytes of all first (recording.hpp).
class Recording {
    async open() {
        const about = JSON.parse(await embeddedText('mjx-scene'));
        this.about = about;
        this.surfaces = await embedded('mjx-surfaces');
        const track = about.track, bytes = new Uint8Array(await embedded('mjx-track')), n = track.frames;
        const count = n * track.channels.length;
        this.channels = track.channels.map((channel, c) => {
            const values = new Float32Array(n);
            for (let i = 0, place = 0; i < n; ++i) {
                place = place + bytes[c * n + i] + 256 * bytes[count + c * n + i] & 65535;
                values[i] = channel.low + place * channel.step;
            }
            return values;
        });
        this.contacts = await this.readContacts(track);
        this.images = await loadPictures(about.scene.pictures,
            async i => URL.createObjectURL(new Blob([await embedded('mjx-picture-' + i)], { type: 'image/png' })));
        const extra = new Float32Array(await embedded('mjx-extra'));
        this.times = extra.subarray(0, n);
        this.paths = [];
        for (let i = 0, at = n; i < n && track.tendons; ++i) {
            this.paths.push(extra.subarray(at + 1, at + 1 + extra[at]));
            at += 1 + extra[at];
        }
        this.bodies = about.scene.bodies.length;
        this.duration = n ? this.times[n - 1] : 0;
        return about;
    }
    // Of each frame the points, normals and forces of its contacts, all in places of 16 bits.
    async readContacts(track) {
        const places = new Int16Array(await embedded('mjx-contacts')), { low, step } = track.contacts;
        let at = 0;
        return track.contacts.counts.map(count => {
            const list = Float32Array.from(places.subarray(at, at + 9 * count), (p, i) => low[i % 9] + (p + 32768) * step[i % 9]);
            at += 9 * count;
            return list;
        });
    }
    frame(time) {
        const { times, channels, about } = this, moving = about.track.bodies;
        let high = times.findIndex(t => t >= time);
        if (high < 0) high = times.length - 1;
        const low = Math.max(0, high - 1), gap = times[high] - times[low];
        const part = gap > 0 ? Math.min(1, Math.max(0, (time - times[low]) / gap)) : 1;
        const pose = new Float32Array(7 * this.bodies);
        about.scene.bodies.forEach((b, i) => pose.set([...b.pos, ...b.quat], 7 * i));
        moving.forEach((body, k) => {
            let turn = 0;
            for (let i = 3; i < 7; ++i) turn += channels[7 * k + i][low] * channels[7 * k + i][high];
            for (let i = 0; i < 7; ++i) {
                const a = channels[7 * k + i][low], b = channels[7 * k + i][high];
                pose[7 * body + i] = (1 - part) * a + (i >= 3 && turn < 0 ? -part : part) * b;
            }
        });
        const near = part > 0.5 ? high : low, probes = about.track.probes.map((_, k) => channels[7 * moving.length + k][near]);
        return { time, pose, probes, path: this.paths[near] || [], contact: this.contacts[near] || [], ctrl: [], qpos: [], warnings: [] };
    }
}

// ------------------------------------------------------------------ a running simulation

const reconnectAfter = 1500;  // milliseconds

class Live {
    async open() {
        const query = location.search;
        const about = await (await fetch('scene.json' + query)).json();
        this.surfaces = await (await fetch('surfaces.bin' + query)).arrayBuffer();
        this.images = await loadPictures(about.scene.pictures, i => `picture${i}.png${query}`);
        this.connect(query);
        return about;
    }
    connect(query) {
        const url = new URL('stream' + query, location.href);
        url.protocol = 'ws:';
        this.socket = new WebSocket(url);
        this.socket.binaryType = 'arraybuffer';
        this.socket.onopen = () => { this.lost = false; this.welcome?.(); };
        this.socket.onmessage = message => { this.latest = this.decode(message.data); ++this.received; };
        this.socket.onclose = () => { this.lost = true; setTimeout(() => this.connect(query), reconnectAfter); };
    }
    received = 0;
    send(text) { if (this.socket.readyState === WebSocket.OPEN) this.socket.send(text); }

    // The layout is that of frame_bytes (stream.hpp).
    decode(buffer) {
        const head = new Uint32Array(buffer, 0, 16), clock = new Float64Array(buffer, 64, 2);
        const [, bodies, controls, coordinates, path, contact, probes, flags] = head;
        let at = 80;
        const take = (type, n) => { const part = new type(buffer, at, n); at += part.byteLength; return part; };
        return { time: clock[0], rate: clock[1], paused: !!(flags & 1), warnings: [...head.subarray(8, 16)], asked: flags >>> 1,
            probes: take(Float64Array, probes), pose: take(Float32Array, 7 * bodies), ctrl: take(Float32Array, controls),
            qpos: take(Float32Array, coordinates), path: take(Float32Array, path), contact: take(Float32Array, contact) };
    }
}
)js";

}  // namespace mjx::inner::show
