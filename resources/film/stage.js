// SPDX-License-Identifier: Apache-2.0
// Ranks down, steps across: what is dealt, what is being dealt, and outlines of what is to come.

// One row's batch at a step, over the ranks that share the row; null when none of them has one.
function rowCell(f, step, row) {
  const { l, epoch } = f, first = row * l.rowRanks, last = Math.min(film.ranks, first + l.rowRanks);
  const cell = { rank: first, samples: 0, padding: 0, duplicates: 0, mean: 0, low: 255, high: 0 };
  for (let r = first; r < last; ++r) {
    const i = cellAt(epoch, step, r), n = film.samples[i];
    if (n === 0) continue;
    cell.samples += n;
    cell.padding += film.padding[i];
    cell.duplicates += film.duplicates[i];
    cell.mean += film.mean[i] * n;
    cell.low = Math.min(cell.low, film.low[i]);
    cell.high = Math.max(cell.high, film.high[i]);
  }
  if (cell.samples === 0) return null;
  cell.mean /= cell.samples;
  return cell;
}

const cellFill = (cell) => (state.colour === 'rank' ? look.rank(cell.rank) : look.place[Math.floor(cell.mean)]);

function drawRows(c, f) {
  const { l } = f, phone = l.phone, every = Math.max(1, Math.ceil(11 / l.pitchY)), gap = l.nodeGap;
  for (let row = 0; row < l.rows; ++row) {
    const rank = row * l.rowRanks, y = l.rowY[row], middle = y + l.cellH / 2, node = nodeOf(rank), starts = rank % film.perNode === 0 || film.firstRanks.includes(rank);
    if (gap > 0 && starts && row > 0) { c.fillStyle = look.line; c.fillRect(12, y - gap / 2 - (l.pitchY - l.cellH) / 2, l.width - 24, 1); }
    if (state.chosen.has(rank)) fillBox(c, 6, y - 1.5, l.width - 12, l.cellH + 3, 4, mix(look.accent, look.panel, 0.13));
    const size = clamp(l.cellH - 3, 3, 12), colour = look.rank(rank);
    fillBox(c, 12.5, middle - size / 2, size, size, 3, colour, look.edge(colour));
    if (row % every !== 0) continue;
    const name = l.rowRanks > 1 ? `${rank}\u2013${Math.min(film.ranks, rank + l.rowRanks) - 1}` : `${phone || l.pitchY < 14 ? '' : 'rank '}${rank}`;
    write(c, name, 30, middle + 0.5, look.text, clamp(l.pitchY, 9, 12), 'left', 600);
    if (!phone && (l.pitchY >= 14 || starts) && l.rowRanks === 1) write(c, 'node ' + node, l.labelW, middle + 0.5, look.muted, clamp(l.pitchY, 9, 11), 'right');
  }
}

function drawChips(c, f, step, rank, x, y) {
  const items = itemsOf(f.epoch, step, rank), places = chipPlaces(f.l, x, y, items.length);
  items.forEach((item, k) => drawChip(c, item, rank, places[k]));
  for (const item of items) f.numbers.push(item.id + (item.padding ? '+' : item.duplicate ? '*' : ''));
}
function drawChip(c, item, rank, at) {
  const fill = sampleColour(item.id, rank);
  fillBox(c, at.x, at.y, at.w, at.h, 5, fill, look.edge(fill));
  if (item.padding) {  // hatched around the number, which keeps its ground
    const size = at.w < 40 ? 11 : 13, plate = Math.min(at.w - 2, String(item.id).length * size * 0.64 + 8);
    fillBox(c, at.x + 1, at.y + 1, at.w - 2, at.h - 2, 4, look.panel);
    hatch(c, at.x + 1, at.y + 1, at.w - 2, at.h - 2, look.padding);
    fillBox(c, at.x + (at.w - plate) / 2, at.y + at.h / 2 - size * 0.65, plate, size * 1.3, 3, fill);
  }
  const out = at.w < 40 ? 0.8 : 2;
  if (item.duplicate) fillBox(c, at.x - out, at.y - out, at.w + 2 * out, at.h + 2 * out, 6, null, look.duplicate, 1.8);
  if (state.samples.has(item.id)) fillBox(c, at.x - 3, at.y - 3, at.w + 6, at.h + 6, 8, null, look.accent, 2.2);
  write(c, item.id, at.x + at.w / 2, at.y + at.h / 2 + 0.5, look.ink(fill), at.w < 40 ? 11 : 13, 'center', 600);
}

// Adds to the paths that many cells share; they are stroked once.
function cellPath(path, x, y, w, h) {
  if (Math.min(w, h) >= 12) path.roundRect(x, y, w, h, 4);
  else path.rect(x, y, w, h);
}

function drawDealt(c, f, cell, x, y, paths) {
  const { l } = f, fill = cellFill(cell), w = l.cellW, h = l.cellH, size = Math.min(w, h);
  if (l.chips) return fillBox(c, x, y, w, h, 6, mix(look.rank(cell.rank), look.panel, look.dark ? 0.2 : 0.14), look.edge(look.rank(cell.rank)), 1.2);
  if (size >= 12) fillBox(c, x, y, w, h, 4, fill, look.edge(fill));
  else { c.fillStyle = fill; c.fillRect(x, y, w, h); }
  if (cell.padding > 0 && size >= 5) {
    fillBox(c, x + 1, y + 1, w - 2, h - 2, size >= 12 ? 3 : 0, look.panel);
    hatch(c, x + 1, y + 1, w - 2, h - 2, look.padding);
  }
  if (cell.duplicates > 0) {
    if (size >= 6) cellPath(paths.rings, x + 0.8, y + 0.8, w - 1.6, h - 1.6);
    else paths.dots.rect(x, y + h - 1.5, w, 1.5);
  }
  if (size >= 12 && state.colour === 'place') {
    const from = x + 4 + cell.low / 255 * (w - 8), length = Math.max(2.2, (cell.high - cell.low) / 255 * (w - 8));
    fillBox(c, from, y + h - 6.2, length, 2.2, 1, look.mark(fill));
  }
}

function drawColumn(c, f, step, x, paths) {
  const { l, epoch } = f;
  for (let row = 0; row < l.rows; ++row) {
    const y = l.rowY[row], cell = step < epoch.steps ? rowCell(f, step, row) : null;
    if (step >= epoch.steps) continue;
    ++f.drawn;
    if (cell === null) { if (step < f.dealt && Math.min(l.cellW, l.cellH) >= 6) paths.crosses.push([x, y]); else if (step >= f.dealt) cellPath(paths.future, x, y, l.cellW, l.cellH); continue; }
    if (step < f.step || (step === f.step && isLanded(f, cell.rank))) {
      drawDealt(c, f, cell, x, y, paths);
      if (l.chips) drawChips(c, f, step, cell.rank, x, y);
    } else if (step === f.step && f.fraction > 0 && f.mode !== 'still') {
      const edge = look.edge(look.rank(cell.rank));
      c.setLineDash([4, 3]);
      fillBox(c, x, y, l.cellW, l.cellH, l.chips ? 6 : l.cellH >= 12 ? 4 : 1, mix(look.rank(cell.rank), look.panel, 0.06), edge);
      c.setLineDash([]);
    } else if (step === f.step && f.fraction > 0) {
      fillBox(c, x, y, l.cellW, l.cellH, 4, null, look.edge(look.rank(cell.rank)), 1.5);
    } else {
      cellPath(paths.future, x, y, l.cellW, l.cellH);
    }
  }
}

function drawAxis(c, f) {
  const { l, epoch } = f, every = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((n) => n * l.pitchX >= 46) ?? 1000;
  const first = Math.max(0, Math.ceil(firstColumn(l, f.glide) / every) * every);
  for (let step = first; step < epoch.steps; step += every) {
    const x = columnX(l, step, f.glide) + l.cellW / 2;
    if (x > l.width - 8) break;
    if (x > l.gridX) write(c, grouped(step), x, l.axisY, step === f.step ? look.text : look.muted, 11, 'center', step === f.step ? 700 : 400);
  }
}

function drawStage(c, f) {
  const { l, epoch } = f;
  fillBox(c, 0.5, l.cardY + 0.5, l.width - 1, l.height - l.cardY + 10, 8, look.panel, look.line);
  if (film.hasIds) write(c, 'Ranks × steps', 12, l.cardY + 14, look.muted, 11);
  drawRows(c, f);
  if (!l.phone) write(c, 'step', l.labelW, l.axisY, look.muted, 11, 'right');
  c.save();
  c.beginPath();
  c.rect(l.gridX - 3, l.cardY, l.width - l.gridX + 3, l.height - l.cardY);
  c.clip();
  const paths = { rings: new Path2D(), future: new Path2D(), dots: new Path2D(), crosses: [] };
  const from = Math.max(0, Math.floor(firstColumn(l, f.glide))), to = Math.min(epoch.steps, Math.ceil(from + l.columns) + 1);
  for (let step = from; step < to; ++step) drawColumn(c, f, step, columnX(l, step, f.glide), paths);
  c.strokeStyle = look.undealt;
  c.lineWidth = 1;
  c.stroke(paths.future);
  c.strokeStyle = look.duplicate;
  c.lineWidth = Math.min(l.cellW, l.cellH) >= 9 ? 1.6 : 1.1;
  c.stroke(paths.rings);
  c.fillStyle = look.duplicate;
  c.fill(paths.dots);
  for (const [x, y] of paths.crosses) cross(c, x + l.cellW / 2, y + l.cellH / 2, Math.min(8, l.cellW - 3, l.cellH - 3));
  const head = columnX(l, f.glide, f.glide) - (l.pitchX - l.cellW) / 2 - 0.5;
  c.fillStyle = look.accent;
  c.fillRect(head - 1, l.gridY - 12, 2, l.gridBottom - l.gridY + 12);
  c.beginPath(); c.moveTo(head - 6, l.gridY - 22); c.lineTo(head + 6, l.gridY - 22); c.lineTo(head + 6, l.gridY - 16); c.lineTo(head, l.gridY - 10); c.lineTo(head - 6, l.gridY - 16); c.fill();
  drawAxis(c, f);
  c.restore();
}
