// The page's script, last part: start everything, then draw. window.mjx is there for the console and for tests.
#pragma once

namespace mjx::inner::show {

inline constexpr const char* page_main = R"js(
// How much is drawn, from the best on. A machine that is too slow gets a plainer picture rather than fewer of them.
// fine: materials that shine, and all lights; triangles: about as many, in coarser surfaces; scale: of the pixels.
const qualities = [{ fine: true, shadows: true, scale: 1 }, { fine: false, shadows: true, scale: 1 },
    { fine: false, shadows: false, scale: 1 }, { fine: false, shadows: false, scale: 0.6, triangles: 60000 },
    { fine: false, shadows: false, scale: 0.4, triangles: 20000 }];
const enoughFrames = 45;  // in a second

// Whether the browser draws without a graphics card.
function drawsInSoftware() {
    const gl = document.createElement('canvas').getContext('webgl'), about = gl?.getExtension('WEBGL_debug_renderer_info');
    const name = about ? gl.getParameter(about.UNMASKED_RENDERER_WEBGL) : '';
    gl?.getExtension('WEBGL_lose_context')?.loseContext();
    return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

// Goes down step by step while there are too few frames, and back where that does not help: then something else is slow.
class Quality {
    constructor(apply) {
        const best = new URLSearchParams(location.search).get('quality') === 'best';
        this.apply = apply;
        this.automatic = !best;
        this.smooth = best || !drawsInSoftware();  // edges without stairs
        this.level = this.smooth ? 0 : 3;
        this.before = 0;  // frames per second on the level before
    }
    choose(text) {
        this.automatic = text === 'automatic';
        this.set(text === 'plain' ? qualities.length - 1 : text === 'best' ? 0 : this.level);
    }
    set(level) {
        this.level = level;
        this.apply(qualities[level]);
    }
    // Called with the frames of a second.
    take(frames) {
        if (!this.automatic || document.hidden || frames >= enoughFrames) return;
        if (this.before && frames < 1.15 * this.before) {
            this.automatic = false;
            this.set(this.level - 1);
        } else if (this.level + 1 < qualities.length) {
            this.before = frames;
            this.set(this.level + 1);
        }
    }
}

function makeRenderer(THREE, canvas, smooth) {
    const renderer = new THREE.WebGLRenderer({ canvas, antialias: smooth });
    renderer.shadowMap.enabled = true;
    renderer.shadowMap.type = THREE.PCFShadowMap;
    if (THREE.SRGBColorSpace) renderer.outputColorSpace = THREE.SRGBColorSpace;
    else renderer.gammaOutput = true;
    return renderer;
}

// What metals mirror: the sky.
function mirror(THREE, renderer, picture) {
    if (!THREE.PMREMGenerator?.prototype.fromScene) return null;
    const sky = new THREE.Scene();
    sky.add(picture.sky.mesh.clone());
    picture.world.environmentIntensity = 0.35;
    return new THREE.PMREMGenerator(renderer).fromScene(sky, 0.02, 0.01, 10).texture;
}

// The canvas: its size, its quality, how many frames a second it is drawn.
class View {
    constructor(THREE, source, about) {
        Object.assign(this, { source, about, canvas: $('view'), rates: { frames: 0 }, width: 0, height: 0, scale: 1, counted: 0 });
        this.quality = new Quality(given => this.apply(given));
        this.renderer = makeRenderer(THREE, this.canvas, this.quality.smooth);
        this.picture = new Picture(THREE, about.scene, source.surfaces, source.images, this.quality.smooth);
        this.mirrored = this.quality.level === 0 ? mirror(THREE, this.renderer, this.picture) : null;
        this.quality.set(this.quality.level);
        this.eye = new Eye(THREE, this.picture, this.canvas);
        this.panel = new Panel(this.picture, this.eye);
        this.since = performance.now();
    }
    apply(quality) {
        this.picture.quality = quality;
        this.picture.coarse = [];
        this.picture.world.environment = quality.fine ? this.mirrored : null;
        this.picture.show();
        this.scale = quality.scale;
        this.width = 0;
    }
    fit() {
        if (this.canvas.clientWidth === this.width && this.canvas.clientHeight === this.height) return;
        this.width = this.canvas.clientWidth;
        this.height = this.canvas.clientHeight;
        this.renderer.setPixelRatio(this.scale * Math.min(2, devicePixelRatio));
        this.renderer.setSize(this.width, this.height, false);
        this.eye.resize(this.width, this.height);
    }
    render() {
        this.picture.fill();
        this.renderer.render(this.picture.world, this.eye.camera);
    }
    draw(frame) {
        this.fit();
        if (frame && frame !== mjx.frame) {
            this.picture.apply(frame);
            this.plots?.take(frame);
            this.panel.update(frame, this.rates);
        }
        if (frame) mjx.frame = frame;
        this.eye.update();
        this.render();
        ++mjx.drawn;
        ++this.counted;
        const now = performance.now();
        if (now - this.since < 1000) return;
        this.rates.frames = Math.round(1000 * this.counted / (now - this.since));
        this.counted = 0;
        this.since = now;
        this.quality.take(this.rates.frames);
    }
    save() {
        this.render();
        this.canvas.toBlob(blob => {
            const link = make('a', document.body, { href: URL.createObjectURL(blob), download: (this.about.scene.name || 'mjx') + '.png' });
            link.click();
            link.remove();
        });
    }
}

function startLive(view) {
    const { source, about, panel } = view;
    panel.makeLive(source, about.driven);
    const plots = mjx.plots = view.plots = new Plots(about.fields.filter(([, count]) => count > 0), (asked, list) =>
        source.send(`probes ${asked} ${list.map(([field, i]) => field + ':' + i).join(' ')}`));
    source.welcome = () => { panel.onSwitch(); plots.restart(); };
    source.welcome();
    const loop = () => {
        $('message').textContent = source.lost ? 'The simulation has ended, or cannot be reached. Trying again …' : '';
        view.draw(source.latest);
        requestAnimationFrame(loop);
    };
    loop();
}

// The curves that a recording brings along.
function offerCurves({ source, about }) {
    const series = about.track.probes, plots = new Plots([], () => {}), all = Array.from(source.times);
    $('plot').hidden = !series.length;
    plots.fields = series.map(name => [name, series.length]);
    for (const [i, name] of series.entries()) make('option', $('plot_field'), { value: i, textContent: name });
    $('plot_index').hidden = true;
    $('plot_add').onclick = () => {
        const k = +$('plot_field').value, shown = make('canvas', $('plots'));
        shown.onclick = () => shown.remove();
        const channel = source.channels[7 * about.track.bodies.length + k];
        plots.draw({ canvas: shown, lines: [[series[k], '']], times: all, values: [Array.from(channel)] });
    };
    return plots;
}

function startPlayer(view) {
    const { source, about } = view, first = source.times[0] || 0;
    for (const id of ['run', 'controls', 'joints', 'pull_hint']) $(id).hidden = true;
    for (const key of ['contacts', 'forces']) $('show_' + key).parentElement.hidden = !about.track.contacts.counts.some(Boolean);
    $('player').hidden = false;
    view.plots = offerCurves(view);
    const player = mjx.player = { time: first, playing: true, speed: 1 };
    $('scrub').min = first;
    $('scrub').max = source.duration;
    $('scrub').oninput = event => { player.time = +event.target.value; player.playing = false; };
    $('play').onclick = () => { player.playing = !player.playing; };
    $('play_speed').onchange = event => { player.speed = +event.target.value; };
    addEventListener('keydown', event => { if (event.key === ' ') event.preventDefault(), $('play').click(); });
    let last = performance.now();
    const loop = now => {
        if (player.playing) player.time += player.speed * Math.min(0.1, Math.max(0, now - last) / 1000);
        if (player.time > source.duration) player.time = player.playing ? first : source.duration;
        last = now;
        $('scrub').value = player.time;
        $('scrub_text').textContent = player.time.toFixed(2) + ' s';
        $('play').textContent = player.playing ? 'Pause' : 'Play';
        view.draw(source.frame(player.time));
        requestAnimationFrame(loop);
    };
    requestAnimationFrame(loop);
}

async function start() {
    const THREE = await loadThree();
    const source = recorded ? new Recording() : new Live();
    const view = new View(THREE, source, await source.open());
    const { about, picture, eye, panel, renderer, rates, quality } = view;
    $('quality').onchange = event => quality.choose(event.target.value);
    $('picture').onclick = () => view.save();
    window.mjx = { about, source, picture, eye, panel, renderer, rates, quality, drawn: 0, frame: null };
    if (recorded) startPlayer(view);
    else startLive(view);
    $('message').textContent = '';
}

start().catch(trouble => {
    $('message').textContent = 'The page could not start: ' + trouble.message +
        (recorded ? '' : '\nIs three.js where mjx looks for it? bash examples/view.sh installs it.');
    throw trouble;
});
)js";

}  // namespace mjx::inner::show
