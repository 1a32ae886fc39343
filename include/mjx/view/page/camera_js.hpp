// The page's script, fifth part: the camera and the mouse. It turns about a target, in MuJoCo's azimuth and elevation; with ctrl the
// mouse pulls at a body instead.
#pragma once

namespace mjx::inner::show {

inline constexpr const char* page_camera = R"js(
const radians = Math.PI / 180;

class Eye {
    constructor(THREE, picture, canvas) {
        Object.assign(this, { THREE, picture, canvas });
        const { radius } = picture.bounds();
        this.camera = new THREE.PerspectiveCamera(picture.about.visual.fovy, 1, 0.01 * radius, 300 * Math.max(1, radius));
        this.camera.up.set(0, 0, 1);
        this.target = new THREE.Vector3();
        this.followed = -1;
        this.before = new THREE.Vector3();  // where the followed body was
        this.ray = new THREE.Raycaster();
        this.ray.layers?.enableAll();
        this.home();
        this.listen();
    }
    // MuJoCo's first view, but lower unless the file asks for another: shapes are told by their outline against the horizon.
    home() {
        const { visual } = this.picture.about, given = visual.azimuth !== 90 || visual.elevation !== -45;
        const { center, radius } = this.picture.bounds();
        this.azimuth = given ? visual.azimuth : 130;
        this.elevation = given ? visual.elevation : -14;
        this.distance = 1.15 * radius / Math.sin(this.camera.fov * radians / 2);
        this.target.copy(center);
    }
    update() {
        if (this.followed >= 0) {
            const at = this.picture.bodies[this.followed].position;
            this.target.add(at.clone().sub(this.before));
            this.before.copy(at);
        }
        this.camera.position.copy(this.target).addScaledVector(this.forward(), -this.distance);
        this.camera.lookAt(this.target);
        this.picture.follow(this.camera, this.target);
    }
    forward() {
        const a = this.azimuth * radians, e = this.elevation * radians;
        return new this.THREE.Vector3(Math.cos(e) * Math.cos(a), Math.cos(e) * Math.sin(a), Math.sin(e));
    }
    followBody(body) {
        this.followed = body;
        if (body < 0) return;
        this.before.copy(this.picture.bodies[body].position);
        this.target.copy(this.before);
    }
    resize(width, height) {
        this.camera.aspect = width / height;
        this.camera.updateProjectionMatrix();
    }

    // The geom under the mouse: { body, point }, or undefined.
    pick(event) {
        const box = this.canvas.getBoundingClientRect();
        const at = { x: 2 * (event.clientX - box.left) / box.width - 1, y: 1 - 2 * (event.clientY - box.top) / box.height };
        this.ray.setFromCamera(new this.THREE.Vector2(at.x, at.y), this.camera);
        const hit = this.ray.intersectObjects(this.picture.geoms.filter(g => g.visible), false)[0];
        return hit && { body: hit.object.userData.body, point: hit.point };
    }

    listen() {
        const { canvas, THREE } = this, pointers = new Map();
        let pull = null;
        canvas.addEventListener('contextmenu', event => event.preventDefault());
        canvas.addEventListener('pointerdown', event => {
            canvas.setPointerCapture(event.pointerId);
            pointers.set(event.pointerId, event);
            const hit = event.ctrlKey && this.onPull && this.pick(event);
            if (!hit || !this.picture.about.bodies[hit.body].moves) return;
            const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(this.forward(), hit.point);
            pull = { body: hit.body, point: this.picture.bodies[hit.body].worldToLocal(hit.point.clone()), plane, to: hit.point };
            this.onPull(pull);
        });
        canvas.addEventListener('pointermove', event => {
            const last = pointers.get(event.pointerId);
            if (!last) return;
            pointers.set(event.pointerId, event);
            const dx = event.clientX - last.clientX, dy = event.clientY - last.clientY;
            if (pull) {
                this.pick(event);
                const to = this.ray.ray.intersectPlane(pull.plane, new THREE.Vector3());
                if (to) this.onPull(Object.assign(pull, { to }));
            } else if (pointers.size === 2) {
                this.pinch(last, event, [...pointers.values()].find(p => p !== event));
            } else if (event.buttons & 6 || event.shiftKey) {
                this.pan(dx, dy);
            } else {
                this.azimuth -= 0.35 * dx;
                this.elevation = Math.min(89, Math.max(-89, this.elevation - 0.35 * dy));
            }
        });
        const release = event => {
            pointers.delete(event.pointerId);
            if (pull) this.onPull(null);
            pull = null;
        };
        canvas.addEventListener('pointerup', release);
        canvas.addEventListener('pointercancel', release);
        canvas.addEventListener('wheel', event => {
            event.preventDefault();
            this.distance *= Math.exp(0.0012 * event.deltaY);
        }, { passive: false });
        canvas.addEventListener('dblclick', event => this.onSelect?.(this.pick(event)?.body ?? -1));
    }
    pan(dx, dy) {
        const { THREE, camera, canvas } = this, size = 2 * this.distance * Math.tan(camera.fov * radians / 2) / canvas.clientHeight;
        const right = new THREE.Vector3().setFromMatrixColumn(camera.matrix, 0);
        const up = new THREE.Vector3().setFromMatrixColumn(camera.matrix, 1);
        this.target.addScaledVector(right, -dx * size).addScaledVector(up, dy * size);
    }
    pinch(last, now, other) {
        const apart = p => Math.hypot(p.clientX - other.clientX, p.clientY - other.clientY);
        this.distance *= apart(last) / Math.max(1, apart(now));
        this.pan((now.clientX - last.clientX) / 2, (now.clientY - last.clientY) / 2);
    }
}
)js";

}  // namespace mjx::inner::show
