/* One figure: heading, legend, plot with hover, table. */

const tip = document.getElementById('tip');

function tipRows(cell, metric) {
    const rows = [[cell.line ? 'mean' : 'ours', exact(cell.value) + (metric.unit ? ` ${metric.unit}` : '')]];
    if (cell.low !== null && cell.low < cell.high) rows.push([cell.line ? 'over time' : 'over seeds', `${exact(cell.low)}${DASH}${exact(cell.high)}`]);
    if (cell.published) {
        rows.push(['published', publishedText(cell.published, exact)], ['difference', differenceText(cell)], ['verdict', verdictText(cell)]);
        rows.push(['source', cell.published.source]);
        if (cell.published.note) rows.push(['note', cell.published.note]);
    }
    return rows;
}

function showTip(event, cell, metric) {
    const rows = tipRows(cell, metric).map(([name, text]) =>
        element('tr', {}, element('th', { scope: 'row' }, name), element('td', {}, text)));
    tip.replaceChildren(element('strong', {}, `${cell.row}, ${cell.column}`), element('table', {}, ...rows));
    tip.hidden = false;
    const beyond = event.clientX + tip.offsetWidth + 24 > innerWidth;
    tip.style.left = `${Math.max(4, beyond ? event.clientX - tip.offsetWidth - 14 : event.clientX + 14)}px`;
    tip.style.top = `${Math.max(4, Math.min(event.clientY + 12, innerHeight - tip.offsetHeight - 8))}px`;
}

/* ---- legend ---- */

const OUTLINES = {
    circle: ['circle', { cx: 11, cy: 7, r: 4 }], square: ['rect', { x: 7.5, y: 3.5, width: 7, height: 7 }],
    'triangle-up': ['path', { d: 'M11 2.5 15.5 11h-9z' }], 'triangle-down': ['path', { d: 'M11 11.5 15.5 3h-9z' }],
    'triangle-right': ['path', { d: 'M15.5 7 7 2.5v9z' }], 'triangle-left': ['path', { d: 'M6.5 7 15 2.5v9z' }],
    cross: ['path', { d: 'M9.5 3h3v2.5H15v3h-2.5V11h-3V8.5H7v-3h2.5z' }],
};

function picture(...shapes) {
    const made = shape('svg', { width: 22, height: 14, viewBox: '0 0 22 14', 'aria-hidden': 'true' });
    made.append(...shapes);
    return made;
}

function seriesPicture(index, plot) {
    const fill = { fill: colour(index) };
    if (plot === 'bars' || plot === 'stacked') return picture(shape('rect', { x: 5, y: 1, width: 12, height: 12, ...fill, 'fill-opacity': index >= SERIES ? 0.5 : 1 }));
    const [name, outline] = OUTLINES[SHAPES[index % SHAPES.length]];
    const dash = DASHES[Math.floor(index / SERIES) % DASHES.length].join(' ');
    const line = shape('path', { d: 'M0 7h22', stroke: colour(index), 'stroke-width': 2, 'stroke-dasharray': dash === '1 0' ? 'none' : dash });
    return plot === 'series' ? picture(line) : picture(line, shape(name, { ...outline, ...fill }));
}

const inText = { stroke: 'var(--text)', 'stroke-width': 1.5, fill: 'var(--page)' };
function publishedPicture() { return picture(shape('path', { d: 'M11 1.5 15.5 7 11 12.5 6.5 7z', ...inText })); }
function leastPicture() { return picture(shape('path', { d: 'M11 2 16 11.5H6z', ...inText })); }
function mostPicture() { return picture(shape('path', { d: 'M11 12 16 2.5H6z', ...inText })); }
function rangePicture() { return picture(shape('path', { d: 'M7.5 1.5h7M7.5 12.5h7', ...inText }), shape('path', { d: 'M11 1.5v11', ...inText, 'stroke-dasharray': '2 2' })); }
function spreadPicture() { return picture(shape('path', { d: 'M8 2h6M8 12h6M11 2v10', ...inText, 'stroke-width': 1.25 })); }

/* A click on a name lets the others fade. */
function seriesButton(study, figure, plot, index) {
    const name = plot.o.names[index];
    const variant = plot.o.namesName === 'variant' ? study.variants.find((v) => v.name === name) : null;
    const button = element('button', { type: 'button', 'aria-pressed': 'false', title: variant && variant.doc || null },
        seriesPicture(index, figure.plot), name);
    button.addEventListener('click', () => {
        const on = button.getAttribute('aria-pressed') !== 'true';
        for (const other of button.parentNode.querySelectorAll('button')) other.setAttribute('aria-pressed', 'false');
        button.setAttribute('aria-pressed', String(on));
        if (plot.view) plot.view.signal('focus', on ? index : null).run();
    });
    return button;
}

function legend(study, figure, plot) {
    const entries = [];
    const alone = plot.o.names.length === 1;
    plot.o.names.forEach((name, index) => entries.push(
        alone ? element('span', {}, seriesPicture(index, figure.plot), name) : seriesButton(study, figure, plot, index)));
    const has = (test) => plot.data.some(test);
    if (has((d) => d.p !== null)) entries.push(element('span', { class: 'is-published' }, publishedPicture(), 'published'));
    if (has((d) => d.plow !== null && d.phigh !== null)) entries.push(element('span', { class: 'is-published' }, rangePicture(), 'published range'));
    if (has((d) => d.plow !== null && d.phigh === null)) entries.push(element('span', { class: 'is-published' }, leastPicture(), 'published: more than'));
    if (has((d) => d.plow === null && d.phigh !== null)) entries.push(element('span', { class: 'is-published' }, mostPicture(), 'published: less than'));
    if (has((d) => d.spread)) entries.push(element('span', {}, spreadPicture(), 'spread over seeds'));
    if (plot.logarithmic) entries.push(element('span', { class: 'quiet' }, 'logarithmic scale'));
    return element('div', { class: 'legend', role: 'group', 'aria-label': 'Legend' }, ...entries);
}

/* ---- plot ---- */

function drawPlot(study, figure, plot, place) {
    const view = new vega.View(vega.parse(vegaLite.compile(plot.spec).spec), { renderer: 'svg', container: place, hover: false, logLevel: vega.Error });
    view.tooltip((handler, event, item, value) => {
        if (value && value.index !== undefined) showTip(event, figure.cells[value.index], shownIn(study, figure, figure.cells[value.index]));
        else tip.hidden = true;
    });
    view.run();
    plot.view = view;
}

/* ---- table ---- */

/* A number keeps apart from its spread by being first; text in cells is the same as in the terminal. `count`: it is whole. */
function valueCell(cell, first, count) {
    const spread = cell.low !== null && cell.low < cell.high ? ` (${number(cell.low)}${DASH}${number(cell.high)})` : '';
    return element('td', { class: first ? 'group' : null, title: cell.value === null ? 'runs are missing' : exact(cell.value) },
        count && cell.value !== null ? grouped.format(cell.value) : number(cell.value), spread ? element('span', { class: 'quiet' }, spread) : null);
}

function cellGroup(cell, compared, count) {
    const cells = [valueCell(cell, compared, count)];
    if (!compared) return cells;
    cells.push(element('td', { class: 'published', title: cell.published ? cell.published.source : null }, cell.published ? publishedText(cell.published) : ''));
    cells.push(element('td', {}, cell.published ? differenceText(cell) : ''));
    return cells;
}

function tableHead(figure, compared) {
    const any = compared.some((c) => c);
    const top = figure.column_labels.map((label, i) =>
        element('th', { scope: 'col', colspan: compared[i] ? 3 : null, rowspan: any && !compared[i] ? 2 : null, class: compared[i] ? 'group' : null,
            style: compared[i] ? 'text-align: center' : null }, label));
    const head = element('thead', {}, element('tr', {}, element('th', { scope: 'col', rowspan: any ? 2 : null }, figure.rows), ...top));
    if (any)
        head.append(element('tr', {}, ...compared.flatMap((c) => c ? ['ours', 'published', 'difference'].map((word, i) =>
            element('th', { scope: 'col', class: i ? 'under' : 'under group' }, word)) : [])));
    return head;
}

function figureTable(figure) {
    const columns = figure.column_labels.length;
    const at = (row, column) => figure.cells[row * columns + column];
    const compared = figure.column_labels.map((_, column) => figure.row_labels.some((__, row) => at(row, column).published));
    const counts = figure.column_labels.map((_, column) => Boolean(figure.parts && figure.parts[column].unit));
    const row = (index) => element('tr', {}, element('th', { scope: 'row' }, figure.row_labels[index]),
        ...figure.column_labels.flatMap((_, column) => cellGroup(at(index, column), compared[column], counts[column])));
    const all = figure.row_labels.map((_, index) => row(index));
    const table = element('table', { class: 'data' }, tableHead(figure, compared),
        element('tbody', {}, ...all.slice(0, figure.first_set)));
    if (figure.first_set < all.length) table.append(element('tbody', { class: 'folds' }, ...all.slice(figure.first_set)));
    return table;
}

function tableOf(figure) {
    const published = figure.cells.filter((cell) => cell.published).length;
    const big = figure.row_labels.length > 24;
    return element('details', { open: !big, class: big ? 'table' : 'table small' },
        element('summary', {}, published ? 'Table: ours, published, difference' : 'Table'),
        element('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': `Table of ${figure.title}` }, figureTable(figure)));
}

/* ---- all of it ---- */

/* "misses of the L1 (per thousand instructions); over several workloads: geometric mean; at l1 = small" */
function metricLine(study, figure) {
    if (figure.parts) return partsLine(figure);
    if (figure.plot === 'table') return element('p', { class: 'metric' }, 'Every point with every metric: the study has no figures of its own.');
    if (figure.over_time) return seriesLine(figure);
    const metrics = metricsOf(study, figure);
    const parts = metrics.flatMap((metric, i) => [i ? '; ' : null, element('code', {}, metric.name), metric.doc ? ` ${metric.doc}` : null,
        metric.unit ? ` (${metric.unit})` : null]);
    const where = Object.entries(figure.where).map(([key, value]) => `${key} = ${value}`);
    if (where.length) parts.push(`; at ${where.join(', ')}`);
    if (metrics.length === 1 && !['workload', 'variant'].includes(figure.columns)) parts.push(`; by ${figure.columns}`);
    if (figure.over) parts.push(`; workloads: ${figure.over}`);
    const folds = [...new Set(metrics.map((metric) => FOLDS[metric.fold]))].join(', ');
    if (figure.first_set < figure.row_labels.length || ![figure.rows, figure.columns, ...Object.keys(figure.where)].includes('workload'))
        parts.push(`; over several workloads: ${folds}`);
    return element('p', { class: 'metric' }, ...parts);
}

/* Of a figure of rows. */
function partsLine(figure) {
    return element('p', { class: 'metric' }, ...figure.parts.flatMap((part, i) => [i ? '; ' : null, element('code', {}, part.name), ` ${part.doc}`]));
}

function metricNamed(study, name) { return study.metrics.find((metric) => metric.name === name); }
function shownIn(study, figure, cell) {
    const own = figure.over_time ? figure.over_time.series : figure.parts;
    return own ? own.find((one) => one.name === cell.metric) : metricNamed(study, cell.metric);
}
function metricsOf(study, figure) { return figure.metrics.map((name) => metricNamed(study, name)); }

function figureId(study, figure) { return `${slug(study.study)}.${slug(figure.name)}`; }

/* A line for each published value; more than four are folded away, and those that the page opens with are not repeated. */
function verdicts(figure) {
    const cells = publishedCells(figure);
    if (cells.length === headlineCells(figure).length) return null;
    const list = element('ul', { class: 'verdicts' }, ...cells.map((cell) => verdictLine(cell, `${cell.row}, ${cell.column}`)));
    if (cells.length <= 4) return list;
    return element('details', { class: 'table' }, element('summary', {}, `Published: ${tally(cells)}`), list);
}

/* The element, and what has to be drawn into it once it is part of the page. */
function makeFigure(study, figure, ordinal) {
    const id = figureId(study, figure), plotted = figure.plot !== 'table';
    const made = element('section', { class: 'figure', id, 'aria-labelledby': `${id}.title` },
        element('h2', { id: `${id}.title` }, element('span', { class: 'number' }, `Figure ${ordinal} `), figure.title), metricLine(study, figure),
        verdicts(figure));
    const place = element('div', { class: 'plot', tabindex: '0' }); /* Vega adds its description */
    const draw = () => {
        const old = made.querySelector('.legend');
        const plot = figure.over_time ? seriesPlot(figure, made.clientWidth) : plotSpec(figure, figure.parts || metricsOf(study, figure), made.clientWidth);
        if (old) old.remove();
        if (!plot) {
            place.replaceChildren(element('p', { class: 'empty' }, 'No value of this figure can be computed: runs are missing, or they do not give one.'));
            return;
        }
        place.before(legend(study, figure, plot));
        drawPlot(study, figure, plot, place);
    };
    if (plotted) made.append(place);
    made.append(tableOf(figure));
    return { figure, element: made, draw: plotted ? draw : null, drawn: false };
}
