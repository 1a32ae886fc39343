// A model with one of everything that can be seen, and its files: writeGallery(folder) gives the path of the model.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';

function checksum(bytes) {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let k = 0; k < 8; ++k) crc = crc >>> 1 ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

// A PNG file of width * height pixels; color(x, y) gives three bytes.
function png(width, height, color) {
  const chunk = (kind, data) => {
    const body = Buffer.concat([Buffer.from(kind), data]), whole = Buffer.alloc(body.length + 8);
    whole.writeUInt32BE(data.length, 0);
    body.copy(whole, 4);
    whole.writeUInt32BE(checksum(body), body.length + 4);
    return whole;
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2], 8);
  const rows = [];
  for (let y = 0; y < height; ++y) {
    rows.push(0);
    for (let x = 0; x < width; ++x) rows.push(...color(x, y));
  }
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', head), chunk('IDAT', deflateSync(Buffer.from(rows))),
    chunk('IEND', Buffer.alloc(0))]);
}

const red = [230, 20, 20], green = [20, 230, 20], blue = [20, 20, 230];

// Rows and columns of the cube's picture: right and left are red, up and down green, front and back blue.
const sides = ['.U..', 'LFRB', '.D..'], sideColors = { R: red, L: red, U: green, D: green, F: blue, B: blue, '.': [0, 0, 0] };

// A square whose picture is turned by a quarter: its texture coordinates say so. Two triangles on each face, closed.
const slab = `v -0.2 0 -0.2\nv 0.2 0 -0.2\nv 0.2 0 0.2\nv -0.2 0 0.2\nv -0.2 0.05 -0.2\nv 0.2 0.05 -0.2\nv 0.2 0.05 0.2\nv -0.2 0.05 0.2
vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1
f 1/1 2/4 3/3 4/2\nf 6/1 5/4 8/3 7/2\nf 2/1 6/4 7/3 3/2\nf 5/1 1/4 4/3 8/2\nf 4/1 3/4 7/3 8/2\nf 5/1 6/4 2/3 1/2\n`;

export function writeGallery(folder) {
  const write = (name, content) => { writeFileSync(join(folder, name), content); return join(folder, name); };
  write('halves.png', png(32, 32, x => x < 16 ? red : blue));
  write('sides.png', png(64, 48, (x, y) => sideColors[sides[y >> 4][x >> 4]]));
  write('slab.obj', slab);
  const at = (name, k, rest) => `<geom name="${name}" pos="${(k % 4) - 1.5} 0 ${0.4 + 0.9 * (k >> 2)}" ${rest}/>`;
  return write('gallery.xml', `<mujoco model="gallery">
  <extension><plugin plugin="mujoco.sdf.torus"><instance name="ring"><config key="radius1" value="0.2"/><config key="radius2" value="0.07"/>
    </instance></plugin></extension>
  <visual><global azimuth="90" elevation="-8"/></visual>
  <asset>
    <texture name="halves" type="2d" file="halves.png"/>
    <texture name="sides" type="cube" file="sides.png" gridsize="3 4" gridlayout=".U..LFRB.D.."/>
    <texture name="squares" type="2d" builtin="checker" width="64" height="64" rgb1="0.9 0.1 0.1" rgb2="0.1 0.1 0.9"/>
    <texture name="poles" type="cube" builtin="gradient" width="64" height="64" rgb1="0.9 0.1 0.1" rgb2="0.1 0.1 0.9"/>
    <texture name="lost" type="2d" file="lost.png"/>
    <material name="halves" texture="halves"/><material name="sides" texture="sides"/><material name="squares" texture="squares"/>
    <material name="poles" texture="poles"/><material name="lost" texture="lost" rgba="0.1 0.9 0.1 1"/>
    <mesh name="slab" file="slab.obj"/>
    <mesh name="ring"><plugin instance="ring"/></mesh>
    <mesh name="bowl" builtin="hemisphere" params="3" scale="0.25 0.25 0.25"/>
    <hfield name="hills" nrow="4" ncol="5" size="0.35 0.2 0.25 0.05" elevation="0 1 2 1 0  1 3 2 0 1  2 1 0 1 2  0 1 1 2 3"/>
  </asset>
  <worldbody>
    <light pos="0 -4 4" dir="0 1 -0.5" type="directional"/>
    <geom name="floor" type="plane" size="3 3 1" rgba="0.4 0.4 0.45 1"/>
    ${at('sphere', 0, 'size="0.25" rgba="0.9 0.1 0.1 1"')}
    ${at('capsule', 1, 'type="capsule" size="0.12 0.15" rgba="0.1 0.9 0.1 1"')}
    ${at('ellipsoid', 2, 'type="ellipsoid" size="0.3 0.2 0.15" rgba="0.1 0.1 0.9 1"')}
    ${at('cylinder', 3, 'type="cylinder" size="0.2 0.2" material="lost"')}
    ${at('box', 4, 'type="box" size="0.25 0.2 0.2" material="halves"')}
    ${at('wrapped', 5, 'type="box" size="0.2 0.2 0.2" material="sides" euler="0 0 45"')}
    ${at('slab', 6, 'type="mesh" mesh="slab" material="halves"')}
    ${at('bowl', 7, 'type="mesh" mesh="bowl" material="poles"')}
    ${at('hills', 8, 'type="hfield" hfield="hills" rgba="0.1 0.9 0.1 1" contype="0" conaffinity="0"')}
    <geom name="ring" type="sdf" mesh="ring" pos="-0.5 0 2.2" euler="90 0 0" rgba="0.9 0.1 0.1 1" contype="0" conaffinity="0">
      <plugin instance="ring"/></geom>
    ${at('checkers', 10, 'type="box" size="0.2 0.2 0.2" material="squares"')}
    <site name="mark" type="box" pos="1.5 0 2.2" size="0.15 0.15 0.15" rgba="0.1 0.1 0.9 1"/>
    <geom name="drum" type="cylinder" size="0.15 0.1" pos="0 -0.5 2.85" euler="90 0 0" contype="0" conaffinity="0" group="3"/>
    <site name="left" pos="-1 -0.5 2.9"/>
    <body name="weight" pos="1 -0.5 2.7"><joint type="slide" axis="0 0 1" range="-0.2 0.2"/><geom name="weight" size="0.08"/>
      <site name="right"/></body>
  </worldbody>
  <tendon><spatial name="rope" width="0.03" rgba="0.1 0.9 0.1 1"><site site="left"/><geom geom="drum"/><site site="right"/></spatial></tendon>
</mujoco>
`);
}
