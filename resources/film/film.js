// SPDX-License-Identifier: Apache-2.0
// The state of the page, one frame of it, and the beginning.
const state = {
  e: 0, position: 0, playing: false, goal: null, loop: false, turn: 0, still: true, dealt: 0, glide: 0, scale: 0, chosen: new Set(), samples: new Set(), layout: null, pending: 0, last: 0,
  speed: film.hasIds && film.size <= 64 ? '1' : '4', colour: film.hasIds && film.size <= 64 ? 'rank' : 'place',
  reduced: window.matchMedia('(prefers-reduced-motion: reduce)').matches,
};

// A canvas of this size in CSS pixels, ready to draw; cleared.
function sized(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1, w = Math.round(width * ratio), h = Math.round(height * ratio);
  if (canvas.width !== w || canvas.height !== h) { Object.assign(canvas, { width: w, height: h }); canvas.style.height = height + 'px'; }
  const c = canvas.getContext('2d');
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  c.clearRect(0, 0, width, height);
  return c;
}

function applyTheme(dark) {
  root.classList.toggle('dark', dark);
  useLook(dark);
  state.legendKey = '';
}

function layoutNow() {
  if (state.layout) return state.layout;
  const width = $('stage').clientWidth, around = width < 480 ? 300 : 262;
  return (state.layout = makeLayout(width, clamp(window.innerHeight - around, 300, 1000)));
}

// All that one frame needs to know of the moment.
function frameNow(seconds) {
  const l = layoutNow(), epoch = film.epochs[state.e], speed = stepsPerSecond(), step = Math.min(Math.floor(state.position), epoch.steps);
  const fraction = step >= epoch.steps ? 0 : state.position - step;
  const f = { l, epoch, speed, step, fraction, seconds, mode: dealMode(l, epoch, speed), drawn: 0, flights: 0, numbers: [] };
  f.dealt = step + (fraction >= kLand ? 1 : 0);
  if (state.reduced) f.dealtSoft = f.glide = f.dealt;
  else glideThrough(f);
  Object.assign(state, { dealt: f.dealt, glide: f.glide });
  return f;
}
// The strip fills while samples land, and the Stage moves on before the next step; quick steps run into each other.
function glideThrough(f) {
  const { speed, step, fraction } = f;
  f.dealtSoft = speed > kFastestFlight ? state.position : step + easeInOut((fraction - 0.3) / 0.3);
  f.glide = speed > kFastestFlight ? state.position : step + easeInOut((fraction - kLand - 0.02) / 0.38);
}

// What the page says of itself, to whoever checks it.
function report(f) {
  Object.assign(root.dataset, { epoch: f.epoch.epoch, step: state.position, mode: f.mode, drawn: f.drawn, flights: f.flights, numbers: f.numbers.join(' '),
    rows: f.l.rows, cells: film.samples.length, ready: '1' });
  $('canvas').setAttribute('aria-label', `Ranks by steps: ${film.ranks} ranks, ${$('counts').textContent}`);
}

function frame(now) {
  state.pending = 0;
  const seconds = Math.min(0.1, Math.max(0, (now - state.last) / 1000));
  state.last = now;
  advance(seconds, now);
  const f = frameNow(seconds), c = sized($('canvas'), f.l.width, f.l.height);
  drawStrip(c, f);
  drawStage(c, f);
  drawDeal(c, f);
  drawScrubber();
  showCounts(f);
  showLegend(f);
  for (const id of ['speed', 'colour']) if ($(id).value !== state[id]) $(id).value = state[id];
  state.still = false;
  if (!state.playing && !state.goal) report(f);
  if (state.playing || state.goal) redraw();
}
function redraw() {
  if (state.pending === 0) state.pending = requestAnimationFrame(frame);
}

function begin() {
  const dark = window.matchMedia('(prefers-color-scheme: dark)'), motion = window.matchMedia('(prefers-reduced-motion: reduce)');
  const asked = root.dataset.theme;
  applyTheme(asked === 'dark' || (asked !== 'light' && dark.matches));
  dark.addEventListener('change', (event) => { if (asked === 'auto') { applyTheme(event.matches); redraw(); } });
  motion.addEventListener('change', (event) => { state.reduced = event.matches; redraw(); });
  setText('leftout', film.leftOut.join(' '));
  showFindings();
  connect();
  readMoment();
  setIcon('play', state.playing ? 'pause' : 'play');
  state.last = performance.now();
  frame(state.last);
}
begin();
