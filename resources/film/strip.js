// SPDX-License-Identifier: Apache-2.0
// The dataset as a strip: places with numbers, bars of a sample each, or bars that say which share is handed out.

// By sample: who takes it first and when, when it comes again, when it comes as padding. Steps count from 1; 0 is never.
function takers(epoch) {
  if (epoch.takers) return epoch.takers;
  const size = film.size;
  const t = { step: new Uint32Array(size), rank: new Uint32Array(size), again: new Uint32Array(size), padding: new Uint32Array(size) };
  for (let s = 0; s < epoch.steps; ++s) {
    for (let r = 0; r < film.ranks; ++r) {
      for (const item of itemsOf(epoch, s, r)) {
        if (t.step[item.id] === 0) { t.step[item.id] = s + 1; t.rank[item.id] = r; }
        else if (!item.padding && t.again[item.id] === 0) t.again[item.id] = s + 1;
        if (item.padding && t.padding[item.id] === 0) t.padding[item.id] = s + 1;
      }
    }
  }
  return (epoch.takers = t);
}

const sampleColour = (id, rank) => (state.colour === 'rank' ? look.rank(rank) : look.place[Math.floor((id + 0.5) * 256 / Math.max(1, film.size))]);

// Whether every step of the epoch is in the film; only then a sample that no batch holds is known to be left out.
const isWhole = (epoch) => epoch.steps === epoch.allSteps;

function drawPlaces(c, f) {
  const { l } = f, t = takers(f.epoch), w = l.stripW / film.size, flying = flyingFrom(f), h = l.stripH, y = l.stripY;
  for (let id = 0; id < film.size; ++id) {
    const x = l.stripX + id * w + 1, taken = t.step[id] > 0 && t.step[id] <= f.dealt && (id + 0.5) / film.size > state.turn;
    const leaving = flying.get(id);
    const fill = taken ? sampleColour(id, t.rank[id]) : leaving !== undefined ? mix(look.rank(leaving), look.panel, 0.12) : look.empty;
    c.setLineDash(leaving !== undefined && !taken ? [4, 3] : []);
    fillBox(c, x + 0.5, y + 0.5, w - 3, h - 1, 4, fill, leaving !== undefined && !taken ? look.edge(look.rank(leaving)) : taken ? look.edge(fill) : null);
    c.setLineDash([]);
    if (taken && t.padding[id] > 0 && t.padding[id] <= f.dealt) hatch(c, x, y, w - 2, h, look.padding);
    if (taken && t.again[id] > 0 && t.again[id] <= f.dealt) fillBox(c, x + 1.5, y + 1.5, w - 5, h - 3, 4, null, look.duplicate, 1.8);
    if (state.samples.has(id)) fillBox(c, x - 0.5, y - 2, w - 1, h + 4, 6, null, look.accent, 2.2);
    if (t.step[id] === 0 && isWhole(f.epoch) && f.dealt === f.epoch.steps && state.turn === 0) cross(c, x + w - 10, y + 7, 5);
    if (leaving === undefined || taken) write(c, id, x + w / 2 - 1, y + h / 2 + 0.5, taken ? look.ink(fill) : look.muted, w < 26 ? 10 : 12, 'center', taken ? 600 : 400);
  }
}

function drawSampleBars(c, f) {
  const { l } = f, t = takers(f.epoch), w = l.stripW / Math.max(1, film.size);
  fillBox(c, l.stripX, l.stripY, l.stripW, l.stripH, 6, look.panel, look.line);
  for (let id = 0; id < film.size; ++id) {
    if (t.step[id] === 0 || t.step[id] > f.dealt || (id + 0.5) / film.size <= state.turn) continue;
    const again = t.again[id] > 0 && t.again[id] <= f.dealt, x = l.stripX + id * w;
    c.fillStyle = sampleColour(id, t.rank[id]);
    c.fillRect(x, l.stripY + 3, Math.max(w - (w > 4 ? 1 : 0), 0.8), l.stripH - 6);
    if (again) { c.fillStyle = look.duplicate; c.fillRect(x, l.stripY, Math.max(w, 1.5), 3); }
  }
}

// The top of the scale: the least of these that holds the highest bar.
const kScales = [0.002, 0.004, 0.008, 0.02, 0.05, 0.1, 0.2, 0.5, 1];
function drawShares(c, f) {
  const { l } = f, shares = coverageAt(f.epoch, f.dealtSoft), w = l.stripW / film.parts;
  const top = kScales.find((s) => s >= Math.max(...shares)) ?? 1;
  state.scale = state.still || !state.scale ? top : state.scale + (top - state.scale) * Math.min(1, f.seconds / 0.1);
  if (Math.abs(state.scale - top) < 0.02 * top) state.scale = top;
  fillBox(c, l.stripX + 0.5, l.stripY + 0.5, l.stripW - 1, l.stripH, 6, look.panel, look.line);
  for (let p = 0; p < film.parts; ++p) {
    if (shares[p] <= 0 || (p + 0.5) / film.parts <= state.turn) continue;
    const h = Math.max(1, Math.min(1, shares[p] / state.scale) * (l.stripH - 8));
    c.fillStyle = look.place[Math.floor((p + 0.5) * 256 / film.parts)];
    c.fillRect(l.stripX + p * w + 0.5, l.stripY + l.stripH - h, Math.max(1, w - (w > 2.5 ? 1 : 0.3)), h);
  }
  const label = (top * 100 >= 1 ? top * 100 : (top * 100).toFixed(1)) + '\u202f%';
  c.globalAlpha = 0.85;
  fillBox(c, l.stripX + 4, l.stripY + 3, 38, 14, 3, look.panel);
  c.globalAlpha = 1;
  write(c, label, l.stripX + 7, l.stripY + 10.5, look.muted, 10.5);
  root.dataset.scale = label;
}

function drawStrip(c, f) {
  if (film.hasIds && f.l.places) drawPlaces(c, f);
  else if (film.hasIds) drawSampleBars(c, f);
  else drawShares(c, f);
}
