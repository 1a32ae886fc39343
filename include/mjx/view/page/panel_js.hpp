// The page's script, sixth part: the panel at the side, with its switches, sliders, joints and plots.
#pragma once

namespace mjx::inner::show {

inline constexpr const char* page_panel = R"js(
const make = (tag, parent, props = {}) => parent.appendChild(Object.assign(document.createElement(tag), props));
const short = x => Math.abs(x) >= 1e4 || (x !== 0 && Math.abs(x) < 1e-3) ? x.toExponential(1) : (+x.toFixed(3)).toString();

const warningNames = ['inertia', 'contacts full', 'constraint rows full', 'bad qpos', 'bad qvel', 'bad qacc', 'bad ctrl', 'bad act'];

class Panel {
    constructor(picture, eye) {
        Object.assign(this, { picture, eye });
        const { about } = picture;
        $('title').textContent = document.title = about.name || 'mjx';
        this.makeSwitches();
        this.makeFollow();
        this.updated = 0;
        $('home').onclick = () => { this.follow(-1); eye.home(); };
    }
    makeSwitches() {
        const { shown, groups } = this.picture;
        const names = { sites: 'Sites', tendons: 'Tendons', contacts: 'Contact points', forces: 'Contact forces', axes: 'Joint axes',
            masses: 'Centres of mass', inertias: 'Inertia boxes', collision: 'Collision geoms', shadows: 'Shadows' };
        for (const [key, text] of Object.entries(names)) {
            const label = make('label', $('switches'));
            make('span', label, { textContent: text });
            make('input', label, { type: 'checkbox', id: 'show_' + key, checked: shown[key], onchange: event => {
                shown[key] = event.target.checked;
                this.picture.show();
                this.onSwitch?.();
            } });
        }
        make('span', $('groups'), { textContent: 'Groups' });
        groups.forEach((on, g) => make('button', $('groups'), { textContent: g, className: on ? 'on' : '', onclick: event => {
            groups[g] = !groups[g];
            event.target.className = groups[g] ? 'on' : '';
            this.picture.show();
        } }));
    }
    makeFollow() {
        make('option', $('follow'), { value: -1, textContent: 'nothing' });
        this.picture.about.bodies.forEach((b, i) =>
            b.moves && make('option', $('follow'), { value: i, textContent: b.name || 'body ' + i }));
        $('follow').onchange = event => this.eye.followBody(+event.target.value);
        this.eye.onSelect = body => this.follow(body);
    }
    follow(body) {
        if (body >= 0 && !this.picture.about.bodies[body].moves) body = -1;
        $('follow').value = body;
        this.eye.followBody(body);
    }

    // ---------------------------------------------------------------- a running simulation

    makeLive(live, driven) {
        const { about } = this.picture, say = text => live.send(text);
        this.live = live;
        $('pause').onclick = () => say(live.latest?.paused ? 'run' : 'pause');
        $('step').onclick = () => say('step');
        $('reset').onclick = () => say('reset');
        $('speed').oninput = event => {
            const speed = 2 ** event.target.value;
            $('speed_text').textContent = short(speed);
            say('speed ' + speed);
        };
        for (const id of ['pause', 'step']) $(id).hidden = !driven;
        $('speed').parentElement.hidden = !driven;
        make('option', $('key'), { value: -1, textContent: 'choose' });
        about.keys.forEach((name, k) => make('option', $('key'), { value: k, textContent: name || 'key ' + k }));
        $('key_row').hidden = !about.keys.length;
        $('key').onchange = event => { if (event.target.value >= 0) say('key ' + event.target.value); event.target.value = -1; };
        this.makeControls(say);
        this.makeJoints();
        this.onSwitch = () => say('contacts ' + (this.picture.shown.contacts || this.picture.shown.forces ? 1 : 0));
        const written = (...points) => points.flatMap(p => p.toArray()).map(x => +x.toFixed(5)).join(' ');
        this.eye.onPull = pull => say(pull ? `pull ${pull.body} ${written(pull.point, pull.to)}` : 'release');
        addEventListener('keydown', event => {
            if (event.target.tagName === 'INPUT' && event.target.type === 'text') return;
            const button = { ' ': 'pause', ArrowRight: 'step', Backspace: 'reset' }[event.key];
            if (!button) return;
            event.preventDefault();
            $(button).click();
        });
    }
    makeControls(say) {
        const { controls } = this.picture.about;
        $('controls').hidden = !controls.length;
        this.sliders = controls.map((c, u) => {
            const label = make('label', $('control_list')), low = c.limited ? c.low : -1, high = c.limited ? c.high : 1;
            make('span', label, { textContent: c.name, title: c.name });
            const range = { min: low, max: high, step: (high - low) / 500, value: 0 };
            const slider = make('input', label, { type: 'range', id: 'ctrl_' + u, ...range });
            const text = make('span', label, { className: 'number' });
            slider.oninput = () => say(`ctrl ${u} ${slider.value}`);
            slider.ondblclick = () => say(`ctrl ${u} 0`);
            return { slider, text };
        });
        const rest = () => controls.forEach((_, u) => say(`ctrl ${u} 0`));
        if (controls.length) make('button', $('control_list'), { textContent: 'All to zero', onclick: rest });
    }
    makeJoints() {
        const scalar = this.picture.about.joints.filter(j => j.scalar);
        $('joints').hidden = !scalar.length;
        this.joints = scalar.map((joint, i) => {
            const label = make('label', $('joint_list')), degrees = joint.turns ? 180 / Math.PI : 1;
            const title = joint.limited ? `${short(joint.low * degrees)} … ${short(joint.high * degrees)}` : 'no limits';
            make('span', label, { textContent: joint.name || 'joint ' + i, title });
            const bar = make('div', label, { className: 'bar' }), mark = make('i', bar);
            const text = make('span', label, { className: 'number' });
            return { joint, bar, mark, text, degrees };
        });
    }
    // Ten times a second, which the eye can read: text costs a browser more than the picture does.
    update(frame, rates) {
        const now = performance.now();
        if (now - this.updated < 100) return;
        this.updated = now;
        $('status').textContent = `${frame.time.toFixed(3)} s   ${rates.frames} frames/s` +
            (frame.rate ? `   ${frame.rate.toFixed(2)}× real time` : '');
        $('warnings').textContent = frame.warnings.map((n, i) => n ? `${warningNames[i]}: ${n} times` : '').filter(Boolean).join('\n');
        if (!this.live) return;
        $('pause').textContent = frame.paused ? 'Run' : 'Pause';
        if ($('controls').open) this.sliders.forEach(({ slider, text }, u) => {
            if (document.activeElement !== slider) slider.value = frame.ctrl[u];
            text.textContent = short(frame.ctrl[u]);
        });
        if ($('joints').open) for (const { joint, bar, mark, text, degrees } of this.joints) {
            const q = frame.qpos[joint.qposadr], low = joint.limited ? joint.low : q - 1, high = joint.limited ? joint.high : q + 1;
            mark.style.left = `${100 * Math.min(1, Math.max(0, (q - low) / (high - low)))}%`;
            bar.className = q < low || q > high ? 'bar over' : 'bar';
            text.textContent = short(q * degrees);
        }
    }
}

// ------------------------------------------------------------------ plots

const plotColors = ['#5aa7f0', '#ffb257', '#6fd08c', '#ff7a70', '#c49bff', '#e9df6a', '#7fe0e0', '#f09ac7'];
const plotPoints = 1200;

class Plots {
    // series: [{ name, lines: [names] }] may be chosen; ask(list of [field, index]) starts new ones on a live simulation.
    constructor(fields, ask) {
        this.fields = fields;
        this.ask = ask;
        this.plots = [];
        this.asked = 0;
        for (const [name] of fields) make('option', $('plot_field'), { value: name, textContent: name });
        $('plot_add').onclick = () => this.add($('plot_field').value, $('plot_index').value);
        if (fields.some(([name]) => name === 'energy')) $('plot_field').value = 'energy';
        $('plot_index').value = '0-1';
    }
    add(field, range) {
        const count = (this.fields.find(([name]) => name === field) || [0, 0])[1];
        const [first, last = first] = range.split('-').map(Number);
        const lines = [];
        for (let i = first; i <= last && i < count && lines.length < plotColors.length; ++i) lines.push([field, i]);
        if (!lines.length) return;
        const canvas = make('canvas', $('plots'), { title: 'click to remove' });
        const plot = { canvas, lines, times: [], values: lines.map(() => []) };
        canvas.onclick = () => { canvas.remove(); this.plots.splice(this.plots.indexOf(plot), 1); this.restart(); };
        this.plots.push(plot);
        this.restart();
    }
    restart() { this.asked = this.asked % 1e6 + 1; this.ask(this.asked, this.plots.flatMap(p => p.lines)); }
    take(frame) {
        if (frame.asked !== undefined && frame.asked !== this.asked) return;
        let next = 0;
        for (const plot of this.plots) {
            const last = plot.times[plot.times.length - 1];
            if (frame.time < last) plot.times.length = 0, plot.values.forEach(v => v.length = 0);
            const fresh = frame.time !== last;
            if (fresh) plot.times.push(frame.time);
            for (const values of plot.values) { const x = frame.probes[next++]; if (fresh) values.push(x); }
            if (plot.times.length > plotPoints) plot.times.shift(), plot.values.forEach(v => v.shift());
            this.draw(plot);
        }
    }
    draw({ canvas, lines, times, values }) {
        const width = canvas.width = canvas.clientWidth * devicePixelRatio, height = canvas.height = canvas.clientHeight * devicePixelRatio;
        const pen = canvas.getContext('2d'), edge = 14 * devicePixelRatio;
        const all = values.flat().filter(Number.isFinite), low = Math.min(...all), high = Math.max(...all), span = high - low || 1;
        const x = t => (t - times[0]) / (times[times.length - 1] - times[0] || 1) * width;
        const y = v => height - edge / 2 - (v - low) / span * (height - 2 * edge);
        pen.font = `${11 * devicePixelRatio}px system-ui`;
        pen.lineWidth = 1.4 * devicePixelRatio;
        values.forEach((series, k) => {
            pen.strokeStyle = plotColors[k];
            pen.beginPath();
            series.forEach((v, i) => pen.lineTo(x(times[i]), y(v)));
            pen.stroke();
        });
        pen.fillStyle = '#aeb8c0';
        const last = lines[lines.length - 1][1];
        const which = `${lines[0][0]} ${lines[0][1]}${lines.length > 1 ? '-' + last : ''}`;
        pen.fillText(`${which}   ${short(low)} … ${short(high)}`, 6 * devicePixelRatio, edge);
    }
}
)js";

}  // namespace mjx::inner::show
