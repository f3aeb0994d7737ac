/* Pages over time (warpwalk run --pages): a map of rows of pages by bins of time, and below it what paging did. Names of buffers become text
   nodes, or labels of an axis that Vega gets as a parameter. */

const run = JSON.parse(document.getElementById('data').textContent);
const report = document.getElementById('report'), tip = document.getElementById('tip');
const MAP_HEIGHT = 460, SMALL_HEIGHT = 80, AXIS = 150, LEVELS = 5;

/* Kinds of events in the order in which they are painted; opacity: of the fewest and the most in a cell. */
const KINDS = [
    { name: 'touched', colour: 'var(--quiet)', opacity: [0.08, 0.5], text: 'touched' },
    { name: 'prefetched', colour: 'var(--s2)', opacity: [0.45, 1], text: 'moved in by prefetch' },
    { name: 'demanded', colour: 'var(--s0)', opacity: [0.45, 1], text: run.mode === 'copy' ? 'copied in before a launch' : 'moved in on demand' },
    { name: 'evicted', colour: 'var(--s5)', opacity: [0.45, 1], text: 'evicted' },
];

/* ---- rows ---- */

/* Buffers lie below each other, with a gap between them. */
const rowCount = run.buffers.reduce((sum, buffer) => sum + buffer.rows, 0);
const gap = run.buffers.length > 1 ? Math.max(0.6, rowCount * 0.012) : 0;
run.buffers.forEach((buffer, i) => { buffer.top = buffer.row + i * gap; buffer.bottom = buffer.top + buffer.rows; });
const height = rowCount + gap * (run.buffers.length - 1);
const bufferOfRow = run.buffers.flatMap((buffer) => Array(buffer.rows).fill(buffer));

function pagesText(pages) {
    const bytes = pages * run.page_bytes;
    return `${count(pages, 'page')}, ${bytes >= 2 ** 20 ? `${number(bytes / 2 ** 20)} MiB` : `${number(bytes / 1024)} KiB`}`;
}

/* ---- cells ---- */

function mostOf(kind) { return Math.max(0, ...run.cells[kind.name].map((n) => n)); }

/* A level from 1 to LEVELS, logarithmic: a page that is touched once is seen, too. */
function levels(kind) {
    const most = mostOf(kind);
    return (amount) => amount === 0 ? 0 : most <= 1 ? LEVELS : 1 + Math.floor((LEVELS - 1) * Math.log(amount) / Math.log(most) + 1e-9);
}

/* Neighbouring bins of a row with the same level become one rectangle: fewer marks, the same picture. */
function rectangles(kind, index) {
    const level = levels(kind), found = [];
    const { row, bin } = run.cells, amounts = run.cells[kind.name];
    const [least, most] = kind.opacity;
    let last = null;
    for (let i = 0; i < row.length; i++) {
        const value = level(amounts[i]);
        if (!value) continue;
        if (last && last.row === row[i] && last.end === bin[i] && last.level === value) { last.end++; continue; }
        last = { row: row[i], start: bin[i], end: bin[i] + 1, level: value };
        found.push(last);
    }
    return found.map(({ row: at, start, end, level: value }) => {
        const buffer = bufferOfRow[at], top = buffer.top + (at - buffer.row);
        return { k: index, x: start * run.bin_us, x2: Math.min(end * run.bin_us, run.end_us), y: kind.name === 'evicted' ? top + 0.5 : top, y2: top + 1,
            v: least + (most - least) * value / LEVELS };
    });
}

/* The cell under the pointer, for its numbers. */
const cellAt = new Map();
for (let i = 0; i < run.cells.row.length; i++) cellAt.set(run.cells.row[i] * run.bins + run.cells.bin[i], i);

/* ---- plots ---- */

const timeScale = { type: 'quantitative', scale: { domain: [0, run.end_us], nice: false, zero: true } };

function mapSpec(width) {
    const shown = KINDS.map((kind, index) => ({ kind, index, data: rectangles(kind, index) })).filter((one) => one.data.length);
    const y = { type: 'quantitative', scale: { domain: [0, height], reverse: true, nice: false } };
    const x = { field: 'x', ...timeScale, axis: { title: null, labels: false, ticks: false, grid: false } };
    const middles = run.buffers.map((buffer) => (buffer.top + buffer.bottom) / 2);
    const axis = { title: null, values: middles, grid: false, ticks: false, labelLimit: AXIS - 10, labelOverlap: 'greedy', labelSeparation: 2, minExtent: AXIS, maxExtent: AXIS,
        labelExpr: 'names[indexof(middles, datum.value)]' };
    const bands = { data: { values: run.buffers.map(({ top, bottom }) => ({ x: 0, x2: run.end_us, y: top, y2: bottom })) },
        mark: { type: 'rect', fill: 'var(--panel)', aria: false, tooltip: null },
        encoding: { x, x2: { field: 'x2' }, y: { field: 'y', ...y, axis }, y2: { field: 'y2' } } };
    const layers = shown.map(({ kind, index, data }) => ({
        name: kind.name, data: { values: data },
        mark: { type: 'rect', aria: false, fill: kind.colour, tooltip: null },
        encoding: {
            x, x2: { field: 'x2' }, y: { field: 'y', ...y, axis }, y2: { field: 'y2' },
            opacity: { condition: { test: `focus !== null && focus !== ${index}`, value: 0.04 }, field: 'v', type: 'quantitative', scale: null },
        },
    }));
    return { name: 'map', width, height: MAP_HEIGHT, view: { stroke: null }, layer: [bands, ...layers] };
}

/* A step for each bin. */
function stepData(names, colours) {
    return names.flatMap((name, s) => run.series[name].map((value, i) => ({ colour: colours[s], x: i * run.bin_us, value })).concat(
        [{ colour: colours[s], x: run.end_us, value: run.series[name][run.bins - 1] }]));
}

function seriesSpec(width, { title, names, colours, format, most, last }) {
    return {
        width, height: SMALL_HEIGHT, view: { stroke: null }, data: { values: stepData(names, colours) },
        mark: { type: 'area', interpolate: 'step-after', line: { strokeWidth: 1.5 }, fillOpacity: 0.15, aria: false, tooltip: null },
        encoding: {
            x: { field: 'x', ...timeScale, axis: last ? { title: 'time (µs)', grid: false, tickCount: 12 } : { title: null, labels: false, ticks: false, grid: false } },
            y: { field: 'value', type: 'quantitative', stack: null, scale: { domainMax: most, zero: true, nice: most === undefined },
                axis: { title, titleAngle: 0, titleAlign: 'left', titleAnchor: 'end', titleX: -AXIS, titleY: 12, tickCount: 3, format, labelExpr: "datum.value === 0 ? '0' : datum.label", minExtent: AXIS, maxExtent: AXIS } },
            color: { field: 'colour', type: 'nominal', scale: null },
        },
    };
}

const SERIES = [
    { title: 'PCIe use', names: ['link_in', 'link_out'], colours: ['var(--s0)', 'var(--s5)'], format: '.0%', most: 1, legend: ['to the GPU', 'to the host'] },
    { title: 'Far-faults', names: ['faults'], colours: ['var(--s3)'], format: '~s' },
    { title: 'Resident pages', names: ['resident'], colours: ['var(--s6)'], format: '~s' },
    { title: 'Evictions', names: ['evictions'], colours: ['var(--s5)'], format: '~s' },
];

function plotConfig() {
    return {
        background: null, font: 'system-ui, sans-serif', view: { stroke: null }, concat: { spacing: 14 },
        axis: { labelColor: 'var(--quiet)', titleColor: 'var(--quiet)', titleFontWeight: 400, labelFontSize: 12, titleFontSize: 12,
            domainColor: 'var(--quiet)', tickColor: 'var(--line)', gridColor: 'var(--grid)' },
        axisY: { domain: false, ticks: false, labelPadding: 6 },
    };
}

function pageSpec(room) {
    const width = Math.max(240, room - AXIS - 24);
    const small = run.series ? SERIES.filter(({ names }) => names[0] === 'link_in' || names.some((name) => run.series[name].some((v) => v))) : [];
    const plots = small.map((one, i) => seriesSpec(width, { ...one, last: i === small.length - 1 }));
    const map = mapSpec(width);
    if (!plots.length)
        for (const layer of map.layer) layer.encoding.x = { ...layer.encoding.x, axis: { title: 'time (µs)', grid: false } };
    return {
        $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
        description: `Pages of ${count(run.buffers.length, 'buffer')} over ${number(run.end_us)} microseconds: touched, moved in and evicted.`,
        params: [{ name: 'focus', value: null }, { name: 'names', value: run.buffers.map(({ name }) => name) },
            { name: 'middles', value: run.buffers.map(({ top, bottom }) => (top + bottom) / 2) }],
        padding: { left: 2, right: 12, top: 4, bottom: 2 }, bounds: 'flush', vconcat: [map, ...plots], config: plotConfig(),
    };
}

/* ---- the pointer ---- */

function showTip(event, view) {
    const frame = view.container().querySelector('.mark-group.role-scope path.background');
    const box = frame && frame.getBoundingClientRect();
    const along = box ? (event.clientX - box.left) / box.width : -1, down = box ? (event.clientY - box.top) / box.height * height : -1;
    const buffer = run.buffers.find(({ top, bottom }) => down >= top && down < bottom);
    if (!buffer || along < 0 || along >= 1) { tip.hidden = true; return; }
    const bin = Math.floor(along * run.end_us / run.bin_us), row = buffer.row + Math.floor(down - buffer.top);
    const cell = cellAt.get(row * run.bins + bin);
    const first = (row - buffer.row) * run.row_pages, last = Math.min(first + run.row_pages, buffer.pages) - 1;
    const rows = [['time', `${number(bin * run.bin_us)}${DASH}${number((bin + 1) * run.bin_us)} µs`],
        [last > first ? 'pages' : 'page', last > first ? `${first}${DASH}${last} of ${buffer.pages}` : `${first} of ${buffer.pages}`],
        ...KINDS.filter(({ name }) => cell !== undefined && run.cells[name][cell]).map(({ name, text }) => [text, grouped.format(run.cells[name][cell])])];
    tip.replaceChildren(element('strong', {}, buffer.name),
        element('table', {}, ...rows.map(([name, text]) => element('tr', {}, element('th', { scope: 'row' }, name), element('td', {}, text)))));
    tip.hidden = false;
    const beyond = event.clientX + tip.offsetWidth + 24 > innerWidth;
    tip.style.left = `${Math.max(4, beyond ? event.clientX - tip.offsetWidth - 14 : event.clientX + 14)}px`;
    tip.style.top = `${Math.max(4, Math.min(event.clientY + 12, innerHeight - tip.offsetHeight - 8))}px`;
}

/* ---- the page ---- */

function swatch(colour) {
    const made = shape('svg', { width: 14, height: 14, viewBox: '0 0 14 14', 'aria-hidden': 'true' });
    made.append(shape('rect', { x: 1, y: 1, width: 12, height: 12, fill: colour }));
    return made;
}

/* A click on a name lets the others fade. */
function legend(view) {
    const shown = KINDS.map((kind, index) => ({ ...kind, index, total: run.cells[kind.name].reduce((sum, n) => sum + n, 0) })).filter(({ total }) => total);
    const buttons = shown.map(({ index, colour, text, total }) => {
        const button = element('button', { type: 'button', 'aria-pressed': 'false' }, swatch(colour), `${text} (${grouped.format(total)})`);
        button.addEventListener('click', () => {
            const on = button.getAttribute('aria-pressed') !== 'true';
            for (const other of buttons) other.setAttribute('aria-pressed', 'false');
            button.setAttribute('aria-pressed', String(on));
            view().signal('focus', on ? index : null).run();
        });
        return button;
    });
    const link = run.series ? SERIES[0].legend.map((text, i) => element('span', {}, swatch(SERIES[0].colours[i]), `PCIe ${text}`)) : [];
    return element('div', { class: 'legend', role: 'group', 'aria-label': 'Legend' }, ...buttons, ...link);
}

const MODES = { demand: 'pages come to the GPU when they fault', copy: 'buffers are copied before the launch', resident: 'all pages are on the GPU' };

function facts() {
    const pages = run.buffers.reduce((sum, buffer) => sum + buffer.pages, 0);
    const rows = [['Memory', `paging.mode: ${run.mode} (${MODES[run.mode]})`], ['Buffers', `${run.buffers.length} with ${pagesText(pages)}`],
        ['A row is', run.row_pages === 1 ? 'one page' : `${run.row_pages} pages of a buffer`], ['A bin is', `${number(run.bin_us)} µs of ${number(run.end_us)} µs`]];
    if (run.buffers_left_out) rows.push(['Not shown', count(run.buffers_left_out, 'buffer')]);
    return element('dl', { class: 'facts' }, ...rows.flatMap(([name, text]) => [element('dt', {}, name), element('dd', {}, text)]));
}

/* What each buffer's pages did, in numbers. */
function totals() {
    const sums = run.buffers.map(() => KINDS.map(() => 0));
    run.cells.row.forEach((row, i) => KINDS.forEach((kind, k) => { sums[run.buffers.indexOf(bufferOfRow[row])][k] += run.cells[kind.name][i]; }));
    const shown = KINDS.map((kind, k) => ({ kind, k })).filter(({ k }) => sums.some((of) => of[k]));
    const head = element('tr', {}, ...['buffer', 'pages', ...shown.map(({ kind }) => kind.text)].map((text) => element('th', { scope: 'col' }, text)));
    const rows = run.buffers.map((buffer, i) => element('tr', {}, element('th', { scope: 'row' }, buffer.name), element('td', {}, grouped.format(buffer.pages)),
        ...shown.map(({ k }) => element('td', {}, grouped.format(sums[i][k])))));
    return element('details', { class: 'table' }, element('summary', {}, 'Table: events by buffer'),
        element('div', { class: 'scroll' }, element('table', { class: 'data' }, element('thead', {}, head), element('tbody', {}, ...rows))));
}

let view = null;
function draw(place) {
    if (view) view.finalize();
    view = new vega.View(vega.parse(vegaLite.compile(pageSpec(place.clientWidth)).spec), { renderer: 'svg', container: place, hover: false, logLevel: vega.Error });
    view.run();
}

const place = element('div', { class: 'plot', tabindex: '0' });
prepareTheme();
report.append(element('h1', {}, run.name), element('p', { class: 'lead' }, 'Which pages were touched, moved and evicted when; below, what the link and the faults did.'), facts());
if (!run.buffers.length) report.append(element('p', { class: 'empty' }, 'The program has no buffers.'));
else {
    report.append(legend(() => view), place, totals());
    draw(place);
    place.addEventListener('mousemove', (event) => showTip(event, view));
    place.addEventListener('mouseleave', () => { tip.hidden = true; });
    let width = place.clientWidth, later;
    addEventListener('resize', () => {
        clearTimeout(later);
        later = setTimeout(() => { if (Math.abs(place.clientWidth - width) >= 24) { width = place.clientWidth; draw(place); } }, 200);
    });
}
root.dataset.renderMilliseconds = Math.round(performance.now());
