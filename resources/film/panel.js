// SPDX-License-Identifier: Apache-2.0
// Words around the picture: counts, legend, findings, tips. User's text is only ever set as text.

function element(tag, className, text) {
  const e = document.createElement(tag);
  if (className) e.className = className;
  if (text !== undefined) e.textContent = text;
  return e;
}
const setText = (id, text) => { if ($(id).textContent !== text) $(id).textContent = text; };

const ordinal = (n) => grouped(n) + (n % 100 >= 11 && n % 100 <= 13 ? 'th' : ['th', 'st', 'nd', 'rd'][n % 10] ?? 'th');

function showCounts(f) {
  const { epoch } = f, seen = grouped(epoch.seen[f.dealt]), parts = [`epoch ${grouped(epoch.epoch)} (${ordinal(epoch.epoch + 1)} of ${grouped(film.allEpochs)})`];
  parts.push(`${seen} of ${grouped(film.size)} samples handed out`);
  if (epoch.handed[f.dealt] > epoch.seen[f.dealt]) parts.push(`${grouped(epoch.handed[f.dealt] - epoch.seen[f.dealt])} handed out again`);
  if (f.flights > 0 && f.mode !== 'ribbons' && f.mode !== 'standing') parts.push(`${grouped(f.flights)} in flight`);
  setText('counts', parts.join(' · '));
  setText('dataset', film.hasIds ? counted(film.size, 'sample') : f.l.phone ? '' : 'share of each part handed out so far, by sample position');
  setText('epochs', 'of ' + grouped(film.allEpochs));
  setText('steps', 'of ' + grouped(epoch.allSteps));
  for (const [id, value] of [['epoch', epoch.epoch], ['step', Math.min(f.step, Math.max(0, epoch.steps - 1))]]) {
    if (document.activeElement !== $(id) && $(id).value !== String(value)) $(id).value = value;
  }
  if (!state.playing && !state.goal) setText('status', `Epoch ${epoch.epoch}: ${counted(f.dealt, 'step')} dealt, ${parts[1]}.`);
}

// The first batch of the epoch for which `has` holds, or null.
function firstCell(epoch, has) {
  for (let s = 0; s < epoch.steps; ++s) for (let r = 0; r < film.ranks; ++r) if (has(cellAt(epoch, s, r))) return { step: s, rank: r };
  return null;
}

// What is drawn and what it means: [key, words, drawing, first batch that has it].
function legendEntries(f) {
  const { l, epoch, mode } = f, entries = [], rank = look.rank(0), square = (fill, edge, dash) => (c) => {
    c.setLineDash(dash ? [3, 2] : []);
    fillBox(c, 1.5, 1.5, 13, 13, 3.5, fill, edge, 1.2);
  };
  if (state.colour === 'place' || !film.hasIds) {
    entries.push([`${state.colour === 'place' ? '' : 'strip: '}0 to ${grouped(Math.max(0, film.size - 1))}`, (c) => { for (let x = 0; x < 58; ++x) { c.fillStyle = look.place[Math.floor(x * 256 / 58)]; c.fillRect(x, 3, 1, 10); } }, null, 58]);
  }
  if (state.colour === 'place') {
    if (!l.chips && Math.min(l.cellW, l.cellH) >= 12) entries.push(['fill: mean position of the batch, bar: its 5\u201395\u202f% range', (c) => { square(look.place[128], look.edge(look.place[128]))(c); fillBox(c, 4, 9, 8, 2.2, 1, look.mark(look.place[128])); }]);
    else if (!l.chips) entries.push(['fill: mean position of the batch', square(look.place[128])]);
  } else {
    entries.push(['handed out, by ' + (film.ranks > 8 && film.perNode < film.ranks ? 'node' : 'rank'), (c) => { square(rank, look.edge(rank))(c); const other = look.rank(Math.min(film.ranks - 1, film.ranks > 8 ? film.perNode : 1)); fillBox(c, 18.5, 1.5, 13, 13, 3.5, other, look.edge(other), 1.2); }, null, 33]);
  }
  if (mode === 'chips' || mode === 'dots') entries.push(['in flight, from its place in the dataset to its batch', square(null, look.edge(rank), true)]);
  if (mode === 'ribbons' || mode === 'standing') entries.push([ranksPerLane() > 1 ? `one ribbon for each ${grouped(ranksPerLane())} ranks` : 'ribbon: samples on their way to a rank', (c) => fillBox(c, 0, 5.5, 22, 5, 2.5, rank), null, 22]);
  entries.push(['not dealt yet', square(null, look.undealt)]);
  if (l.places) entries.push(['not handed out yet', square(look.empty)]);
  const repeated = epoch.repeated[epoch.steps] > 0, padded = epoch.padded[epoch.steps] > 0;
  if (repeated) entries.push(['handed out more than once', (c) => fillBox(c, 2, 2, 12, 12, 3, null, look.duplicate, 1.8), (i) => film.duplicates[i] > 0]);
  if (padded) entries.push(['padding', (c) => { square(null, look.padding)(c); hatch(c, 2, 2, 12, 12, look.padding); }, (i) => film.padding[i] > 0]);
  const out = firstCell(epoch, (i) => film.samples[i] === 0);
  if (out) entries.push(['the rank has no batch left', (c) => cross(c, 8, 8, 8), (i) => film.samples[i] === 0]);
  if (l.places && isWhole(epoch) && epoch.seen[epoch.steps] < film.size) entries.push(['never handed out in this epoch', (c) => { square(look.empty)(c); cross(c, 10, 6, 5); }]);
  return entries;
}

function showLegend(f) {
  const key = [f.epoch.epoch, f.mode, state.colour, look.dark, f.l.width].join();
  if (key === state.legendKey) return;
  state.legendKey = key;
  const legend = $('legend'), ratio = window.devicePixelRatio || 1;
  legend.textContent = '';
  for (const [words, draw, has, width = 16] of legendEntries(f)) {
    const entry = element('span'), canvas = element('canvas');
    Object.assign(canvas, { width: width * ratio, height: 16 * ratio });
    canvas.style.cssText = `width:${width}px;height:16px`;
    canvas.setAttribute('aria-hidden', 'true');
    const c = canvas.getContext('2d');
    c.scale(ratio, ratio);
    draw(c);
    entry.append(canvas, words);
    const place = has ? firstCell(f.epoch, has) : null;
    if (place) {
      Object.assign(entry, { tabIndex: 0, title: `Go to the first one: step ${place.step}, rank ${place.rank}` });
      entry.setAttribute('role', 'button');
      entry.style.cursor = 'pointer';
      const go = () => jumpTo(state.e, place.step + 1);
      entry.addEventListener('click', go);
      entry.addEventListener('keydown', (event) => { if (event.key === 'Enter') go(); });
    }
    legend.append(entry);
  }
  root.dataset.legend = legend.textContent;
}

const kSigns = { error: '\u25cf', warning: '\u25c6', info: '\u25a0', fine: '\u2713' };
const kWords = { error: 'error', warning: 'warning', info: 'note', fine: 'fine' };

// The first step that hands one of these samples out again, be it as padding; the epoch's last when none does: they are missing.
function stepOfSamples(epoch, samples) {
  for (let s = 0; s < epoch.steps; ++s) {
    for (let r = 0; r < film.ranks; ++r) {
      if (itemsOf(epoch, s, r).some((item) => (item.padding || item.duplicate) && samples.includes(item.id))) return s;
    }
  }
  return isWhole(epoch) ? epoch.steps - 1 : -1;
}

// Where the film can show a finding: an index of film.epochs and a step, or null.
function placeOf(finding) {
  const { epoch, step, ranks, samples } = finding.where;
  const e = epoch === undefined ? 0 : film.epochs.findIndex((one) => one.epoch === epoch);
  if (e < 0) return null;
  const at = step ?? (epoch === undefined ? -1 : samples && film.hasIds ? stepOfSamples(film.epochs[e], samples) : ranks ? 0 : -1);
  return at >= 0 && at < film.epochs[e].steps ? { e, step: at } : null;
}

function findingCard(finding) {
  const card = element('div', 'finding'), head = element('h3'), sign = element('i', '', kSigns[finding.severity]), { place } = finding;
  card.style.setProperty('--mark', `var(--${finding.severity === 'info' ? 'note' : finding.severity})`);
  sign.setAttribute('aria-hidden', 'true');
  head.append(sign, element('span', 'word', kWords[finding.severity] + ': '), element('span', '', finding.title));
  card.append(head, element('p', '', finding.message));
  if (finding.fix) card.append(element('p', '', 'Fix: ' + finding.fix));
  const ranks = finding.where.ranks || [], samples = film.hasIds ? finding.where.samples || [] : [];
  if (!place && ranks.length + samples.length === 0) return card;
  card.classList.add('jumps');
  const words = place ? `Show epoch ${film.epochs[place.e].epoch}, step ${place.step}` : 'Highlight ' + (ranks.length > 1 ? 'these ranks' : ranks.length > 0 ? 'rank ' + ranks[0] : 'these samples');
  card.append(element('button', '', words));
  card.lastChild.type = 'button';
  card.addEventListener('click', () => {
    const was = card.classList.contains('chosen');
    for (const other of document.querySelectorAll('.finding.chosen')) other.classList.remove('chosen');
    card.classList.toggle('chosen', !was);
    state.chosen = new Set(was ? [] : ranks);
    state.samples = new Set(was ? [] : finding.where.samples || []);
    if (place && !was) jumpTo(place.e, place.step + 1);
    redraw();
  });
  return card;
}

function showFindings() {
  for (const finding of film.findings) finding.place = placeOf(finding);
  const bad = film.findings.filter((f) => f.severity !== 'fine'), fine = film.findings.filter((f) => f.severity === 'fine');
  const count = (severity, word) => { const n = film.findings.filter((f) => f.severity === severity).length; return n > 0 ? [severity === 'fine' ? `${n} fine` : counted(n, word)] : []; };
  $('tally').textContent = [...count('error', 'error'), ...count('warning', 'warning'), ...count('info', 'note'), ...count('fine', '')].join(' · ');
  for (const finding of bad) $('findings').append(findingCard(finding));
  if (fine.length === 0) return;
  const more = element('details');
  more.open = bad.length === 0;
  more.append(element('summary', '', `${fine.length} fine`), ...fine.map(findingCard));
  $('findings').append(more);
}

// The batch under the pointer: { step, rank }, a row's label { rank }, or null.
function hit(x, y) {
  const l = state.layout, epoch = film.epochs[state.e], row = l.rowY.findIndex((top) => y >= top && y < top + l.pitchY);
  if (row < 0) return null;
  const rank = row * l.rowRanks;
  if (x < l.gridX) return { rank };
  const step = Math.floor((x - l.gridX) / l.pitchX + firstColumn(l, state.glide));
  return step >= 0 && step < epoch.steps ? { rank, step } : null;
}

function tipText(at) {
  const l = state.layout, epoch = film.epochs[state.e], last = Math.min(film.ranks, at.rank + l.rowRanks) - 1;
  const who = last > at.rank ? `ranks ${at.rank} to ${last}` : `rank ${at.rank}, node ${nodeOf(at.rank)}`;
  if (at.step === undefined) return who;
  const lines = [`${who}, epoch ${epoch.epoch}, step ${grouped(at.step)}`];
  if (at.step >= state.dealt) return lines.concat('not dealt yet').join('\n');
  const cell = rowCell({ l, epoch }, at.step, Math.floor(at.rank / l.rowRanks));
  if (!cell) return lines.concat(last > at.rank ? 'these ranks have no batch in this step' : 'this rank has no batch in this step').join('\n');
  lines.push(counted(cell.samples, 'sample'));
  if (cell.padding > 0) lines.push(`${grouped(cell.padding)} of them ${cell.padding === 1 ? 'is' : 'are'} padding`);
  if (cell.duplicates > 0) lines.push(`${grouped(cell.duplicates)} of them ${cell.duplicates === 1 ? 'is' : 'are'} handed out more than once in this epoch`);
  if (film.hasIds && last === at.rank) {
    const ids = itemsOf(epoch, at.step, at.rank).map((item) => item.id);
    lines.push(ids.slice(0, 40).join(' ') + (ids.length > 40 ? ' \u2026' : ''));
  } else {
    lines.push(`mean position: at ${Math.round((cell.mean + 0.5) / 2.56)}\u202f% of the dataset`, `most samples: between ${Math.round(cell.low / 2.56)}\u202f% and ${Math.round((cell.high + 1) / 2.56)}\u202f%`);
  }
  return lines.join('\n');
}

function showTip(event) {
  const bounds = $('canvas').getBoundingClientRect(), at = hit(event.clientX - bounds.left, event.clientY - bounds.top), tip = $('tip');
  $('canvas').style.cursor = at ? 'pointer' : '';
  tip.hidden = !at;
  if (!at) return;
  tip.textContent = tipText(at);
  tip.style.left = clamp(event.clientX + 14, 4, window.innerWidth - tip.offsetWidth - 8) + 'px';
  tip.style.top = (event.clientY + 18 + tip.offsetHeight > window.innerHeight ? event.clientY - tip.offsetHeight - 10 : event.clientY + 18) + 'px';
}
