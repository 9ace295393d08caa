// SPDX-License-Identifier: Apache-2.0
// The step being dealt: chips and dots that fly from the strip to their cells, ribbons where they are too many.

const stepSamples = (epoch) => (epoch.steps > 0 ? epoch.handed[1] : 0);

// How a step is shown at this speed (steps a second): chips, dots, ribbons, standing ribbons, or still.
function dealMode(l, epoch, speed) {
  if (state.reduced || speed > kFastestRibbon) return 'still';
  if (film.hasIds && stepSamples(epoch) <= 1024) return speed > kFastestFlight ? 'still' : l.chips && stepSamples(epoch) <= 64 ? 'chips' : 'dots';
  return speed > kFastestFlight ? 'standing' : 'ribbons';
}

const ranksPerLane = () => (film.ranks <= 64 ? 1 : film.perNode * Math.ceil(Math.ceil(film.ranks / film.perNode) / 64));
const laneCount = () => Math.ceil(film.ranks / ranksPerLane());
function laneSpan(lane) {
  const lanes = laneCount(), flight = kLand - kLift, apart = lanes > 1 ? Math.min(0.04, (flight - 0.2) / (lanes - 1)) : 0;
  const from = kLift + apart * lane;
  return { from, to: from + flight - apart * (lanes - 1) };
}
const isLanded = (f, rank) => f.fraction >= (f.mode === 'ribbons' ? laneSpan(Math.floor(rank / ranksPerLane())).to : kLand);

// Samples on their way and who takes them.
function flyingFrom(f) {
  const from = new Map();
  if ((f.mode !== 'chips' && f.mode !== 'dots') || f.fraction <= 0 || f.fraction >= kLand || f.step >= f.epoch.steps) return from;
  for (let r = film.ranks - 1; r >= 0; --r) for (const item of itemsOf(f.epoch, f.step, r)) from.set(item.id, r);
  return from;
}

function curvePoint(a, b, t) {
  const s = 1 - t;
  return { x: s * s * s * a.x + 3 * s * s * t * a.x + 3 * s * t * t * b.x + t * t * t * b.x,
    y: s * s * s * a.y + 3 * s * s * t * (a.y + 70) + 3 * s * t * t * (b.y - 90) + t * t * t * b.y };
}
function drawTrail(c, colour, from, to, way) {
  c.strokeStyle = colour;
  c.lineWidth = 1.6;
  for (let i = 0; i < 20; ++i) {
    const a = curvePoint(from, to, way * i / 20), b = curvePoint(from, to, way * (i + 1) / 20);
    c.globalAlpha = 0.06 + 0.5 * i / 20;
    c.beginPath(); c.moveTo(a.x, a.y); c.lineTo(b.x, b.y); c.stroke();
  }
  c.globalAlpha = 1;
}

function drawFlights(c, f) {
  const { l, epoch } = f, x = columnX(l, f.step, f.glide), dots = f.mode === 'dots', flights = [];
  for (let rank = 0; rank < film.ranks; ++rank) {
    const items = itemsOf(epoch, f.step, rank), y = l.rowY[rowOf(l, rank)];
    const places = dots ? items.map((_, k) => ({ x: x + l.cellW * (k + 0.5) / items.length, y: y + l.cellH / 2, w: 0, h: 0 })) : chipPlaces(l, x, y, items.length);
    items.forEach((item, k) => {
      const start = Math.min(kLift + 0.04 * k, 0.35), lift = 6 * easeOut(f.fraction / kLift);
      const from = { x: sampleAt(l, item.id), y: l.stripY + l.stripH / 2 - lift }, at = places[k];
      const to = { x: at.x + at.w / 2, y: at.y + at.h / 2 }, way = easeInOut((f.fraction - start) / (kLand - start));
      flights.push({ item, rank, at, from, to, way });
    });
  }
  if (!dots) {
    for (const { rank, at } of flights) {
      c.setLineDash([3, 3]);
      fillBox(c, at.x + 0.5, at.y + 0.5, at.w - 1, at.h - 1, 5, null, mix(look.edge(look.rank(rank)), look.panel, 0.6));
    }
    c.setLineDash([]);
    for (const g of flights) if (g.way > 0) drawTrail(c, look.edge(look.rank(g.rank)), g.from, g.to, g.way);
  }
  for (const g of flights) drawFlyer(c, g, dots);
  f.flights = flights.length;
}
function drawFlyer(c, g, dots) {
  const p = curvePoint(g.from, g.to, g.way);
  if (dots) {
    const fill = sampleColour(g.item.id, g.rank);
    c.beginPath(); c.arc(p.x, p.y, 2.5, 0, 7); c.fillStyle = fill; c.fill();
    c.strokeStyle = g.item.duplicate ? look.duplicate : look.edge(fill); c.lineWidth = g.item.duplicate ? 1.4 : 0.6; c.stroke();
    return;
  }
  c.save();
  c.shadowColor = 'rgb(0 0 0 / .3)'; c.shadowBlur = 8; c.shadowOffsetY = 2;
  fillBox(c, p.x - g.at.w / 2 - 1.5, p.y - g.at.h / 2 - 1.5, g.at.w + 3, g.at.h + 3, 6, look.dark ? '#f4f5f7' : '#ffffff');
  c.restore();
  drawChip(c, g.item, g.rank, { x: p.x - g.at.w / 2, y: p.y - g.at.h / 2, w: g.at.w, h: g.at.h });
}

// Ribbons: hairs gather from the strip in a knot over the free side, ribbons run down in lanes and turn left into their cells.
function drawRibbons(c, f) {
  const { l } = f, lanes = laneCount(), right = columnX(l, f.step, f.glide) + l.cellW, room = l.width - 10 - right;
  const pitch = Math.min(17, room / (lanes + 1)), knots = l.cardY + 14, standing = f.mode === 'standing';
  const most = Math.max(2, Math.floor(256 / film.ranks));
  for (let lane = lanes - 1; lane >= 0 && pitch >= 0.5; --lane) {
    const span = laneSpan(lane), since = (f.fraction - span.to) / f.speed;
    if (!standing && since > 0.2) continue;
    const first = lane * ranksPerLane(), last = Math.min(film.ranks, first + ranksPerLane());
    let samples = 0, hairs = [];
    for (let r = first; r < last; ++r) {
      samples += film.samples[cellAt(f.epoch, f.step, r)];
      if (r - first < 16) hairs = hairs.concat(hairsAt(f.epoch, f.step, r, most));
    }
    if (samples === 0) continue;
    const colour = look.rank(first), x = right + pitch * (lane + 1), rows = [l.rowY[rowOf(l, first)], l.rowY[rowOf(l, last - 1)] + l.cellH];
    const show = standing ? 1 : clamp((f.fraction - span.from + kLift) / 0.15, 0, 1);
    const gone = Math.max(since / 0.2, (f.fraction - span.to) / (1 - span.to));  // before the next step begins, however fast
    const fade = standing ? 0.35 : since >= 0 ? 1 - 0.84 * gone : 1;
    drawTicks(c, l, hairs, colour, nodeOf(first));
    drawHairs(c, l, hairs, colour, x, knots, standing ? 0.2 : 0.42 * show * fade);
    const full = film.largestBatch * (last - first);
    const way = standing ? 1 : easeInOut((f.fraction - span.from) / (span.to - span.from));
    drawRibbon(c, { x, top: knots, y: (rows[0] + rows[1]) / 2, right, turn: Math.min(10, (x - right) / 2), width: Math.max(2, Math.min(5, pitch - 1) * Math.min(1, samples / full)), colour, way, fade });
    ++f.flights;
  }
}
const hairsAt = (epoch, step, rank, most) => {
  if (!film.hasIds) return hairsOf(epoch, step, rank, most);
  const items = itemsOf(epoch, step, rank), n = Math.min(most, items.length);
  return Array.from({ length: n }, (_, k) => (items[Math.floor((2 * k + 1) * items.length / (2 * n))].id + 0.5) / film.size);
};
function drawTicks(c, l, hairs, colour, node) {
  c.fillStyle = look.edge(colour);
  for (const place of hairs) c.fillRect(stripAt(l, place) - 0.8, l.stripY + l.stripH + 3 + 3 * Math.min(node, 2), 1.6, 4);
}
function drawHairs(c, l, hairs, colour, x, knots, opacity) {
  const top = l.stripY + l.stripH + 8;
  c.globalAlpha = opacity;
  c.strokeStyle = look.edge(colour);
  c.lineWidth = 0.9;
  c.beginPath();
  for (const place of hairs) {
    const from = stripAt(l, place);
    c.moveTo(from, top);
    c.bezierCurveTo(from, top + (knots - top) * 0.75, x, top + (knots - top) * 0.25, x, knots);
  }
  c.stroke();
  c.globalAlpha = 1;
}
function drawRibbon(c, r) {
  const length = r.y - r.top - r.turn + r.turn * Math.PI / 2 + r.x - r.right - r.turn;
  const path = new Path2D();
  path.moveTo(r.x, r.top);
  path.lineTo(r.x, r.y - r.turn);
  path.arcTo(r.x, r.y, r.x - r.turn, r.y, r.turn);
  path.lineTo(r.right, r.y);
  c.lineCap = 'round';
  c.strokeStyle = r.colour;
  c.lineWidth = r.width;
  c.globalAlpha = 0.1 * r.fade;
  c.stroke(path);
  c.globalAlpha = r.fade;
  if (r.way > 0) { c.setLineDash([length * r.way, length + 10]); c.stroke(path); c.setLineDash([]); }
  c.fillStyle = r.colour;
  c.beginPath(); c.moveTo(r.x - 4, r.top - 3); c.lineTo(r.x + 4, r.top - 3); c.lineTo(r.x, r.top + 5); c.fill();
  c.lineCap = 'butt';
  c.globalAlpha = 1;
}

function drawGlow(c, f) {
  const { l } = f, x = columnX(l, f.step, f.glide), reach = l.chips ? 4 : 3;
  for (let row = 0; row < l.rows; ++row) {
    const rank = row * l.rowRanks, landing = f.mode === 'ribbons' ? laneSpan(Math.floor(rank / ranksPerLane())).to : kLand;
    const glow = 1 - Math.max((f.fraction - landing) / f.speed / 0.16, (f.fraction - landing) / (1 - landing));
    if (f.fraction < landing || glow <= 0 || film.samples[cellAt(f.epoch, f.step, rank)] === 0) continue;
    c.globalAlpha = (l.chips ? 0.3 : 0.38) * glow;
    fillBox(c, x - reach / 2, l.rowY[row] - reach / 2, l.cellW + reach, l.cellH + reach, 7, null, look.rank(rank), reach);
    c.globalAlpha = 1;
  }
}

function drawDeal(c, f) {
  if (f.fraction <= 0 || f.step >= f.epoch.steps) return;
  if (state.reduced && !film.hasIds) for (let r = 0; r < film.ranks; ++r) drawTicks(c, f.l, hairsOf(f.epoch, f.step, r, Math.max(1, 256 / film.ranks)), look.rank(r), nodeOf(r));
  if (f.mode === 'chips' || f.mode === 'dots') {
    if (f.fraction < kLand) drawFlights(c, f);
  } else if (f.mode !== 'still') {
    drawRibbons(c, f);
  }
  if (f.mode !== 'still' && f.mode !== 'standing') drawGlow(c, f);
}
