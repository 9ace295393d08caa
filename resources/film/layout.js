// SPDX-License-Identifier: Apache-2.0
// Where everything stands on the canvas, for one width and one height of the window.
const kLand = 0.6, kLift = 0.1, kFastestFlight = 12, kFastestRibbon = 60;
const kChip = { w: 42, h: 30, gap: 8 };

// Ranks in one row: more than a pixel of height is needed to see one.
function ranksPerRow(height) {
  let each = 1;
  while (Math.ceil(film.ranks / each) * 4 > height) each *= 2;
  return each;
}

// The chips of a full batch in a cell of this size, or null when they do not fit.
function chipGrid(w, h, count) {
  const chip = count > 8 || w < 110 ? { w: 30, h: 22, gap: 4 } : count <= 4 && w > 200 && h > 76 ? { w: 52, h: 36, gap: 10 } : kChip;
  const columns = Math.min(count, Math.floor((w - 12 + chip.gap) / (chip.w + chip.gap)));
  if (columns < 1) return null;
  const rows = Math.ceil(count / columns);
  return rows * (chip.h + chip.gap) - chip.gap + 10 > h ? null : { ...chip, columns, rows };
}

function makeLayout(width, viewHeight) {
  const phone = width < 480;
  const l = { width, phone, stripX: 0, stripW: width };
  l.places = film.hasIds && width / Math.max(1, film.size) >= 14;  // the strip has room for numbers
  l.stripY = 8;
  l.stripH = l.places ? 28 : 38;
  l.cardY = l.stripY + l.stripH + (l.places ? 10 : film.hasIds ? 14 : 40);
  l.labelW = phone ? 62 : 122;
  l.gridX = l.labelW + (phone ? 4 : 10);
  l.gridW = width - l.gridX - 8;
  const head = film.hasIds ? 24 : 34, foot = 30;
  const most = Math.max(200, viewHeight - l.cardY - head - foot);
  l.rowRanks = ranksPerRow(most);
  l.rows = Math.ceil(film.ranks / l.rowRanks);
  const steps = Math.max(1, ...film.epochs.map((e) => e.steps));
  chooseCells(l, steps, most, viewHeight);
  l.nodeGap = l.rowRanks > 1 || film.perNode >= film.ranks ? 0 : l.pitchY >= 16 ? 8 : l.pitchY >= 8 ? 2 : 0;
  const nodes = Math.ceil(film.ranks / film.perNode);
  if (l.nodeGap > 0 && l.rows * l.pitchY + nodes * l.nodeGap > most + 40) l.nodeGap = 0;
  l.gridY = l.cardY + head;
  l.rowY = Array.from({ length: l.rows }, (_, r) => l.gridY + r * l.pitchY + Math.floor(r * l.rowRanks / film.perNode) * l.nodeGap);
  l.gridBottom = l.rowY[l.rows - 1] + l.pitchY;
  l.axisY = l.gridBottom + 12;
  l.height = Math.ceil(l.axisY + 24);  // the legend's card covers the last eight
  l.columns = l.gridW / l.pitchX;
  l.scrolls = steps > l.columns * (film.hasIds ? 1 : 0.5);  // ribbons come from the free side
  return l;
}

// Cells with room for chips where a film is that small; squares otherwise.
function chooseCells(l, steps, most, viewHeight) {
  const tall = clamp(most / l.rows, 4, l.phone ? 72 : clamp(viewHeight / 6, 66, 140));
  const wide = clamp(l.gridW / steps, 46, 420);
  const few = film.hasIds && film.size <= 128 && l.rowRanks === 1;
  l.chips = few ? chipGrid(wide - 5, tall - 7, film.largestBatch) : null;
  if (!l.chips && few) {  // fewer columns in view, and they scroll
    const enough = [60, 90, 130, 180, 260].find((w) => w <= l.gridW && chipGrid(w - 5, tall - 7, film.largestBatch));
    if (enough) return Object.assign(l, { chips: chipGrid(enough - 5, tall - 7, film.largestBatch), pitchX: enough, pitchY: tall, cellW: enough - 5, cellH: tall - 7 });
  }
  if (l.chips) return Object.assign(l, { pitchX: wide, pitchY: tall, cellW: wide - 5, cellH: tall - 7 });
  l.pitchY = clamp(Math.floor(most / l.rows), 4, viewHeight > 700 ? 44 : 34);
  l.pitchX = Math.floor(clamp(l.gridW / steps / (film.hasIds ? 1 : 2), Math.max(5, l.pitchY), film.hasIds ? 110 : Math.max(20, 2 * l.pitchY)));
  const gap = l.pitchY >= 14 ? 3 : l.pitchY >= 7 ? 1.5 : l.pitchY > 4 ? 1 : 0;
  return Object.assign(l, { cellW: l.pitchX - gap, cellH: l.pitchY - gap });
}

const rowOf = (l, rank) => Math.floor(rank / l.rowRanks);
const nodeOf = (rank) => (film.firstRanks.length ? film.firstRanks.filter((first) => first <= rank).length - 1 : Math.floor(rank / film.perNode));
// The first column in view: the playhead stays at 40 % while steps scroll.
const firstColumn = (l, position) => (l.scrolls ? Math.max(0, position - 0.4 * l.columns) : 0);
const columnX = (l, step, position) => l.gridX + (step - firstColumn(l, position)) * l.pitchX;
const stripAt = (l, place) => l.stripX + place * l.stripW;
const sampleAt = (l, id) => stripAt(l, (id + 0.5) / Math.max(1, film.size));

// The places of `count` chips in the cell at x, y.
function chipPlaces(l, x, y, count) {
  const g = l.chips, rows = Math.ceil(count / g.columns);
  return Array.from({ length: count }, (_, k) => {
    const row = Math.floor(k / g.columns), inRow = Math.min(g.columns, count - row * g.columns);
    return { x: x + (l.cellW - inRow * (g.w + g.gap) + g.gap) / 2 + (k % g.columns) * (g.w + g.gap),
      y: y + (l.cellH - rows * (g.h + g.gap) + g.gap) / 2 + row * (g.h + g.gap), w: g.w, h: g.h };
  });
}
