// The page: what it is made of and how it looks. The scripts are its neighbours; html.hpp puts them together.
#pragma once

namespace mjx::inner::show {

inline constexpr const char* page_style = R"css(
* { box-sizing: border-box; }
html, body { margin: 0; height: 100%; overflow: hidden; background: #20262c; color: #dde3e8; font: 13px/1.45 system-ui, sans-serif; }
canvas#view { position: fixed; inset: 0; width: 100%; height: 100%; display: block; touch-action: none; outline: none; }
#panel { position: fixed; top: 10px; right: 10px; width: 270px; max-height: calc(100% - 20px); overflow-y: auto; padding: 4px 12px 8px;
  background: #12161ad8; border-radius: 10px; box-shadow: 0 2px 14px #0006; scrollbar-width: thin; }
#panel details { border-top: 1px solid #ffffff1c; padding: 3px 0; }
#panel details:first-of-type { border-top: none; }
#panel summary { cursor: pointer; font-weight: 600; padding: 3px 0; user-select: none; }
#panel label { display: flex; gap: 6px; align-items: center; padding: 1px 0; }
#panel label > span:first-child { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
button, select, input[type=text] { font: inherit; color: inherit; background: #ffffff1a; border: 1px solid #ffffff26;
  border-radius: 6px; padding: 2px 8px; }
button { cursor: pointer; }
button:hover { background: #ffffff30; }
button.on { background: #2f7fd6; border-color: #2f7fd6; }
select option { color: #111; }
input[type=range] { width: 96px; accent-color: #5aa7f0; }
.row { display: flex; gap: 6px; align-items: center; margin: 4px 0; flex-wrap: wrap; }
.number { width: 52px; text-align: right; font-variant-numeric: tabular-nums; color: #aeb8c0; }
.bar { position: relative; width: 96px; height: 6px; border-radius: 3px; background: #ffffff22; }
.bar i { position: absolute; top: -2px; width: 3px; height: 10px; border-radius: 1px; background: #5aa7f0; }
.bar.over i { background: #ff6a5a; }
#title { font-weight: 700; padding: 5px 0 3px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
#status { color: #aeb8c0; font-variant-numeric: tabular-nums; white-space: pre; }
#warnings { color: #ffb257; white-space: pre-line; }
#message { position: fixed; left: 50%; top: 40%; transform: translate(-50%, -50%); padding: 10px 18px; border-radius: 10px;
  background: #12161ae0; max-width: 70%; white-space: pre-line; }
#message:empty { display: none; }
#plots canvas { width: 100%; height: 110px; display: block; margin: 4px 0; background: #0004; border-radius: 6px; }
#player { position: fixed; left: 10px; right: 290px; bottom: 10px; display: flex; gap: 8px; align-items: center; padding: 6px 12px;
  background: #12161ad8; border-radius: 10px; }
#player input { flex: 1; width: auto; }
#hint { color: #8f9aa3; font-size: 12px; padding-top: 4px; }
[hidden] { display: none !important; }
)css";

inline constexpr const char* page_body = R"html(
<canvas id="view" tabindex="0"></canvas>
<div id="panel">
  <div id="title"></div>
  <div id="status"></div>
  <div id="warnings"></div>
  <details open id="run"><summary>Simulation</summary>
    <div class="row"><button id="pause" title="space">Pause</button><button id="step" title="right arrow">Step</button>
      <button id="reset" title="backspace">Reset</button></div>
    <label><span>Speed</span><input id="speed" type="range" min="-4" max="3" step="1" value="0">
      <span class="number" id="speed_text">1</span></label>
    <label id="key_row"><span>Keyframe</span><select id="key"></select></label>
  </details>
  <details open><summary>View</summary>
    <label><span>Follow</span><select id="follow" style="max-width: 150px"></select></label>
    <label><span>Quality</span><select id="quality"><option>automatic</option><option>best</option><option>plain</option></select></label>
    <div class="row"><button id="home">Whole scene</button><button id="picture">Save picture</button></div>
    <div id="switches"></div>
    <div class="row" id="groups"></div>
  </details>
  <details id="controls"><summary>Controls</summary><div id="control_list"></div></details>
  <details id="joints"><summary>Joints</summary><div id="joint_list"></div></details>
  <details id="plot"><summary>Plots</summary>
    <div class="row"><select id="plot_field" style="max-width: 130px"></select>
      <input id="plot_index" type="text" size="4" value="0" title="which numbers: 3 or 0-5">
      <button id="plot_add">Add</button></div>
    <div id="plots"></div>
  </details>
  <div id="hint">drag: turn · right drag: move · wheel: zoom<br>
    double click: follow<span id="pull_hint"> · ctrl + drag: pull</span></div>
</div>
<div id="player" hidden><button id="play">Play</button><input id="scrub" type="range" min="0" max="1" step="any" value="0">
  <span class="number" id="scrub_text"></span><select id="play_speed"><option value="0.1">0.1×</option><option value="0.25">0.25×</option>
  <option value="0.5">0.5×</option><option value="1" selected>1×</option>
  <option value="2">2×</option><option value="5">5×</option></select></div>
<div id="message">Loading …</div>
)html";

}  // namespace mjx::inner::show
