// SPDX-License-Identifier: Apache-2.0
// Playing: speed, keys, fields, the scrubber, and the moment that the address names (#epoch=1&step=20.4&paused).
const kIcons = {
  first: 'M3 3h2v10H3zM13 3v10L6 8z', back: 'M8 3v10L1 8zM15 3v10L8 8z', next: 'M8 3v10l7-5zM1 3v10l7-5z', last: 'M11 3h2v10h-2zM3 3v10l7-5z',
  play: 'M4 2v12l10-6z', pause: 'M4 3h3v10H4zM9 3h3v10H9z', loop: 'M4 4h7V1.5L15 5l-4 3.5V6H5v3H3V5zM12 12H5v2.5L1 11l4-3.5V10h6V7h2v4z',
  theme: 'M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zm0 2v10A5 5 0 0 1 8 3z',
};
function setIcon(id, icon) {
  if ($(id).dataset.icon === icon) return;
  $(id).dataset.icon = icon;
  $(id).innerHTML = `<svg viewBox="0 0 16 16" aria-hidden="true"><path d="${kIcons[icon]}"/></svg>`;
}

const stepsPerSecond = () => (state.speed === 'epoch' ? Math.max(1, film.epochs[state.e].steps) : Number(state.speed));

function play(on) {
  const epoch = film.epochs[state.e], fraction = state.position % 1;
  if (on && state.position >= epoch.steps && state.e === film.epochs.length - 1) Object.assign(state, { e: 0, position: 0 });
  state.playing = on;
  state.goal = null;
  // A flight is finished or has not begun; never does it hang over text.
  if (!on && fraction === 0) rememberMoment();
  if (!on && fraction > 0) glideTo(fraction < kLift ? Math.floor(state.position) : Math.ceil(state.position), 120);
  setIcon('play', on ? 'pause' : 'play');
  $('play').setAttribute('aria-label', on ? 'Pause' : 'Play');
  redraw();
}
function glideTo(to, ms) {
  state.goal = { from: state.position, to, start: performance.now(), ms: state.reduced ? 1 : ms };
  redraw();
}
function jumpTo(e, position) {
  state.playing && play(false);
  Object.assign(state, { e: clamp(e, 0, film.epochs.length - 1), goal: null, turn: 0, still: true });
  state.position = clamp(position, 0, film.epochs[state.e].steps);
  redraw();
}
function stepBy(n) {
  state.playing && play(false);
  const now = state.goal ? state.goal.to : state.position, to = n > 0 ? Math.floor(now) + n : Math.ceil(now) + n, epoch = film.epochs[state.e];
  if (to > epoch.steps) return state.e + 1 < film.epochs.length && jumpTo(state.e + 1, 0);
  if (to < 0) return state.e > 0 && jumpTo(state.e - 1, film.epochs[state.e - 1].steps);
  state.position = Math.max(0, n > 0 ? to - 1 : to);
  if (n > 0) glideTo(to, 300);
  else jumpTo(state.e, to);
}

// Moves on by so many seconds; over the end of an epoch the strip empties first.
function advance(seconds, now) {
  if (state.goal) {
    const way = clamp((now - state.goal.start) / state.goal.ms, 0, 1);
    state.position = state.goal.from + (state.goal.to - state.goal.from) * way;
    if (way >= 1) { state.goal = null; rememberMoment(); }
    return;
  }
  if (!state.playing) return;
  const epoch = film.epochs[state.e], isLast = state.e + 1 >= film.epochs.length;
  if (state.position < epoch.steps) {
    state.position = Math.min(epoch.steps, state.position + seconds * stepsPerSecond());
    return;
  }
  if (isLast && !state.loop) return play(false);
  state.turn += seconds / (state.reduced ? 0.01 : 0.4);
  if (state.turn >= 1) Object.assign(state, { turn: 0, e: isLast ? 0 : state.e + 1, position: 0 });
}

function readMoment() {
  const words = new URLSearchParams(location.hash.slice(1)), e = film.epochs.findIndex((epoch) => String(epoch.epoch) === words.get('epoch'));
  if (e >= 0) state.e = e;
  if (words.has('step')) state.position = clamp(Number(words.get('step')) || 0, 0, film.epochs[state.e].steps);
  if (words.has('speed')) state.speed = words.get('speed') === 'epoch' ? 'epoch' : String(Number(words.get('speed')) || state.speed);
  if (['rank', 'place'].includes(words.get('colour'))) state.colour = words.get('colour');
  state.goal = null;
  state.still = true;
  state.playing = !words.has('paused') && !state.reduced;
}
function rememberMoment() {
  try { history.replaceState(null, '', `#epoch=${film.epochs[state.e].epoch}&step=${state.position}&paused`); } catch { /* a frame without an address */ }
}

// Epochs as blocks, below them the steps of this epoch; findings as triangles on both.
function drawScrubber() {
  const canvas = $('scrubber'), width = canvas.clientWidth, height = 48, c = sized(canvas, width, height), n = film.epochs.length;
  const block = clamp(Math.floor(width / n) - 2, 2, n > 12 ? 7 : 40), epoch = film.epochs[state.e], line = 27, track = width - 14;
  state.scrub = { block, line, track };
  film.epochs.forEach((_, i) => fillBox(c, 7 + i * (block + 2), 6, block, 7, 1.5, i === state.e ? look.accent : mix(look.muted, look.panel, i % 10 === 0 ? 0.6 : 0.35)));
  if (n > 1) write(c, `epochs ${film.epochs[0].epoch}\u2013${film.epochs[n - 1].epoch}`, 7 + n * (block + 2) + 6, 10, look.muted, 10.5);
  fillBox(c, 7, line - 1.5, track, 3, 1.5, look.empty);
  const at = (step) => 7 + track * step / Math.max(1, epoch.steps);
  fillBox(c, 7, line - 1.5, at(state.position) - 7, 3, 1.5, look.accent);
  for (const { severity, place } of [...film.findings].reverse()) {  // the worst on top
    if (!place || severity === 'fine') continue;
    drawFlag(c, 7 + place.e * (block + 2) + block / 2, 5, look[severity]);
    if (place.e === state.e) drawFlag(c, at(place.step + 0.5), line - 4, look[severity]);
  }
  c.beginPath(); c.arc(at(state.position), line, 6, 0, 7); c.fillStyle = look.panel; c.fill(); c.strokeStyle = look.accent; c.lineWidth = 2; c.stroke();
  const ticks = epoch.steps <= 4 ? epoch.steps : 4;
  for (let i = 0; i <= ticks && ticks > 0; ++i) write(c, grouped(Math.round(epoch.steps * i / ticks)), at(epoch.steps * i / ticks), 42, look.muted, 10.5, i === 0 ? 'left' : i === ticks ? 'right' : 'center');
  canvas.setAttribute('aria-valuemin', 0);
  canvas.setAttribute('aria-valuemax', epoch.steps);
  canvas.setAttribute('aria-valuenow', Math.floor(state.position));
  canvas.setAttribute('aria-valuetext', `epoch ${epoch.epoch}, step ${Math.floor(state.position)}`);
}
function drawFlag(c, x, y, colour) {
  c.fillStyle = colour;
  c.beginPath(); c.moveTo(x - 4, y - 5); c.lineTo(x + 4, y - 5); c.lineTo(x, y); c.fill();
}
function scrub(event) {
  const bounds = $('scrubber').getBoundingClientRect(), x = event.clientX - bounds.left - 7, { block, track } = state.scrub;
  if (event.type === 'pointerdown') state.scrubsEpochs = event.clientY - bounds.top < 17 && film.epochs.length > 1 && x < film.epochs.length * (block + 2);
  if (state.scrubsEpochs) jumpTo(Math.floor(x / (block + 2)), 0);
  else jumpTo(state.e, Math.round(clamp(x / track, 0, 1) * film.epochs[state.e].steps));
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT)$/.test(event.target.tagName)) return;
  if (event.key === ' ' && /^(BUTTON|SUMMARY)$/.test(event.target.tagName)) return;
  const does = { ' ': () => play(!state.playing), ArrowRight: () => stepBy(1), ArrowLeft: () => stepBy(-1), Home: () => jumpTo(state.e, 0),
    End: () => jumpTo(state.e, film.epochs[state.e].steps), PageDown: () => jumpTo(state.e + 1, 0), PageUp: () => jumpTo(state.e - 1, 0),
    l: () => $('loop').click(), Escape: () => { state.chosen.clear(); state.samples.clear(); redraw(); } }[event.key];
  if (!does) return;
  event.preventDefault();
  does();
}

function connect() {
  for (const id of ['first', 'back', 'next', 'last', 'loop', 'theme']) setIcon(id, id);
  const on = (id, type, does) => $(id).addEventListener(type, does);
  on('first', 'click', () => jumpTo(state.e, 0));
  on('back', 'click', () => stepBy(-1));
  on('next', 'click', () => stepBy(1));
  on('last', 'click', () => jumpTo(state.e, film.epochs[state.e].steps));
  on('play', 'click', () => play(!state.playing));
  on('loop', 'click', () => { state.loop = !state.loop; $('loop').setAttribute('aria-pressed', state.loop); });
  on('speed', 'change', () => { state.speed = $('speed').value; redraw(); });
  on('colour', 'change', () => { state.colour = $('colour').value; redraw(); });
  on('epoch', 'change', () => { const e = film.epochs.findIndex((epoch) => String(epoch.epoch) === $('epoch').value.trim()); if (e >= 0) jumpTo(e, 0); $('epoch').blur(); redraw(); });
  on('step', 'change', () => { const step = parseInt($('step').value, 10); if (step >= 0) jumpTo(state.e, step); $('step').blur(); redraw(); });
  on('theme', 'click', () => { applyTheme(!look.dark); redraw(); });
  on('scrubber', 'pointerdown', (event) => { $('scrubber').setPointerCapture(event.pointerId); scrub(event); });
  on('scrubber', 'pointermove', (event) => { if (event.buttons > 0) scrub(event); });
  on('canvas', 'pointermove', showTip);
  on('canvas', 'pointerleave', () => { $('tip').hidden = true; });
  on('canvas', 'click', (event) => {
    const at = hit(event.offsetX, event.offsetY);
    if (at && at.step !== undefined) jumpTo(state.e, at.step + 1);
    else if (at) { state.chosen.has(at.rank) ? state.chosen.delete(at.rank) : state.chosen.add(at.rank); redraw(); }
  });
  document.addEventListener('keydown', onKey);
  const fit = () => { state.layout = null; redraw(); };
  window.addEventListener('resize', fit);
  new ResizeObserver(() => { if (state.layout && state.layout.width !== $('stage').clientWidth) fit(); }).observe($('stage'));
  window.addEventListener('hashchange', () => { readMoment(); redraw(); });
}
