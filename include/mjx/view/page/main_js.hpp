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

async function start() {
    const THREE = await loadThree();
    const source = recorded ? new Recording() : new Live();
    const about = await source.open();
    const canvas = $('view');
    let scale = 1;
    const quality = new Quality(given => {
        picture.quality = given;
        picture.coarse = [];
        picture.world.environment = given.fine ? mirrored : null;
        picture.show();
        scale = given.scale;
        width = 0;
    });
    const renderer = new THREE.WebGLRenderer({ canvas, antialias: quality.smooth });
    renderer.shadowMap.enabled = true;
    renderer.shadowMap.type = THREE.PCFShadowMap;
    if (THREE.SRGBColorSpace) renderer.outputColorSpace = THREE.SRGBColorSpace;
    else renderer.gammaOutput = true;
    const picture = new Picture(THREE, about.scene, source.surfaces, source.images, quality.smooth);
    let mirrored = null;  // metals need something to mirror
    if (quality.level === 0 && THREE.PMREMGenerator?.prototype.fromScene) {
        const sky = new THREE.Scene();
        sky.add(picture.sky.mesh.clone());
        mirrored = new THREE.PMREMGenerator(renderer).fromScene(sky, 0.02, 0.01, 10).texture;
        picture.world.environmentIntensity = 0.35;
    }
    let width = 0, height = 0;
    quality.set(quality.level);
    $('quality').onchange = event => quality.choose(event.target.value);
    const eye = new Eye(THREE, picture, canvas), panel = new Panel(picture, eye);
    const rates = { frames: 0 };
    let plots;
    $('picture').onclick = () => render() || canvas.toBlob(blob => {
        const link = make('a', document.body, { href: URL.createObjectURL(blob), download: (about.scene.name || 'mjx') + '.png' });
        link.click();
        link.remove();
    });

    function render() {
        picture.fill();
        renderer.render(picture.world, eye.camera);
    }
    let counted = 0, since = performance.now();
    function draw(frame) {
        if (canvas.clientWidth !== width || canvas.clientHeight !== height) {
            width = canvas.clientWidth;
            height = canvas.clientHeight;
            renderer.setPixelRatio(scale * Math.min(2, devicePixelRatio));
            renderer.setSize(width, height, false);
            eye.resize(width, height);
        }
        if (frame) {
            if (frame !== mjx.frame) {
                picture.apply(frame);
                plots?.take(frame);
                panel.update(frame, rates);
            }
            mjx.frame = frame;
        }
        eye.update();
        render();
        ++mjx.drawn;
        ++counted;
        const now = performance.now();
        if (now - since < 1000) return;
        rates.frames = Math.round(1000 * counted / (now - since));
        counted = 0;
        since = now;
        quality.take(rates.frames);
    }
    window.mjx = { about, source, picture, eye, panel, renderer, rates, quality, drawn: 0, frame: null };

    if (recorded) startPlayer();
    else startLive();
    $('message').textContent = '';

    function startLive() {
        panel.makeLive(source, about.driven);
        plots = new Plots(about.fields.filter(([, count]) => count > 0), (asked, list) =>
            source.send(`probes ${asked} ${list.map(([field, i]) => field + ':' + i).join(' ')}`));
        source.welcome = () => { panel.onSwitch(); plots.restart(); };
        source.welcome();
        mjx.plots = plots;
        const loop = () => {
            $('message').textContent = source.lost ? 'The simulation has ended, or cannot be reached. Trying again …' : '';
            draw(source.latest);
            requestAnimationFrame(loop);
        };
        loop();
    }
    function startPlayer() {
        for (const id of ['run', 'controls', 'joints', 'pull_hint']) $(id).hidden = true;
        for (const key of ['contacts', 'forces']) $('show_' + key).parentElement.hidden = !about.track.contacts.counts.some(Boolean);
        $('player').hidden = false;
        const series = about.track.probes;
        $('plot').hidden = !series.length;
        plots = new Plots([], () => {});
        plots.fields = series.map((name, i) => [name, series.length]);
        for (const [i, name] of series.entries()) make('option', $('plot_field'), { value: i, textContent: name });
        $('plot_index').hidden = true;
        const all = Array.from(source.times);
        $('plot_add').onclick = () => {
            const k = +$('plot_field').value, shown = make('canvas', $('plots'));
            shown.onclick = () => shown.remove();
            const channel = source.channels[7 * about.track.bodies.length + k];
            plots.draw({ canvas: shown, lines: [[series[k], '']], times: all, values: [Array.from(channel)] });
        };
        const player = mjx.player = { time: source.times[0] || 0, playing: true, speed: 1 };
        const first = source.times[0] || 0;
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
            draw(source.frame(player.time));
            requestAnimationFrame(loop);
        };
        requestAnimationFrame(loop);
    }
}

start().catch(trouble => {
    $('message').textContent = 'The page could not start: ' + trouble.message +
        (recorded ? '' : '\nIs three.js where mjx looks for it? bash examples/view.sh installs it.');
    throw trouble;
});
)js";

}  // namespace mjx::inner::show
