// The page's script, last part: start everything, then draw. window.mjx is there for the console and for tests.
#pragma once

namespace mjx::inner::show {

inline constexpr const char* page_main = R"js(
async function start() {
    const THREE = await loadThree();
    const source = recorded ? new Recording() : new Live();
    const about = await source.open();
    const canvas = $('view');
    const renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    renderer.shadowMap.enabled = true;
    renderer.shadowMap.type = THREE.PCFShadowMap;
    if (THREE.SRGBColorSpace) renderer.outputColorSpace = THREE.SRGBColorSpace;
    else renderer.gammaOutput = true;
    const picture = new Picture(THREE, about.scene, source.surfaces);
    // metals need something to mirror
    if (THREE.PMREMGenerator?.prototype.fromScene) {
        const sky = new THREE.Scene();
        sky.add(picture.sky.clone());
        picture.world.environment = new THREE.PMREMGenerator(renderer).fromScene(sky, 0.02, 0.01, 10).texture;
        picture.world.environmentIntensity = 0.35;
    }
    const eye = new Eye(THREE, picture, canvas), panel = new Panel(picture, eye);
    const rates = { frames: 0 };
    let plots;
    $('picture').onclick = () => canvas.toBlob(blob => {
        const link = make('a', document.body, { href: URL.createObjectURL(blob), download: (about.scene.name || 'mjx') + '.png' });
        link.click();
        link.remove();
    });

    let width = 0, height = 0, counted = 0, since = performance.now();
    function draw(frame) {
        if (canvas.clientWidth !== width || canvas.clientHeight !== height) {
            width = canvas.clientWidth;
            height = canvas.clientHeight;
            renderer.setPixelRatio(Math.min(2, devicePixelRatio));
            renderer.setSize(width, height, false);
            eye.resize(width, height);
        }
        if (frame) {
            if (frame !== mjx.frame) {
                picture.apply(frame);
                plots?.take(frame);
            }
            mjx.frame = frame;
            panel.update(frame, rates);
        }
        eye.update();
        renderer.render(picture.world, eye.camera);
        ++mjx.drawn;
        ++counted;
        const now = performance.now();
        if (now - since > 500) {
            rates.frames = Math.round(1000 * counted / (now - since));
            counted = 0;
            since = now;
        }
    }
    window.mjx = { about, source, picture, eye, panel, renderer, rates, drawn: 0, frame: null };

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
        for (const key of ['contacts', 'forces']) $('show_' + key).parentElement.hidden = true;
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
