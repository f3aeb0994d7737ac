/* A figure as a Vega-Lite specification. Layers have names, which are classes in the picture (values_marks). Rows and columns go in by number, never by name: names may be alike, or mean
   something to Vega. Labels come back through the parameters `along` and `described`. */

const SERIES = 10;
const SHAPES = ['circle', 'square', 'triangle-up', 'cross', 'triangle-down', 'triangle-right', 'triangle-left'];
const DASHES = [[1, 0], [6, 3], [2, 2], [8, 3, 2, 3]];
const PLOT_HEIGHT = 280, LEAST_BAR = 4, MOST_BAR = 34, GAP = '-';

function colour(series) { return `var(--s${series % SERIES})`; }

function labelsAreNumbers(labels) {
    return labels.length > 1 && labels.every((label) => quantity(label) !== null);
}

/* Bars that add up: each begins where the one before ends. What was published is in the table only. */
function isStacked(figure) { return figure.plot === 'stacked'; }

/* Lines run along the coordinate with numbers; bars along the rows. `x` and `series` pick from (row, column). */
function orientation(figure) {
    const rows = figure.row_labels, columns = figure.column_labels;
    const across = figure.plot === 'lines' && labelsAreNumbers(columns) && !labelsAreNumbers(rows);
    return {
        across,
        along: across ? columns : rows,
        names: across ? rows : columns,
        alongName: across ? figure.columns : figure.rows,
        namesName: across ? figure.rows : figure.columns,
        firstSet: across ? columns.length : figure.first_set,
        firstSetSeries: across ? figure.first_set : columns.length,
    };
}

function plotData(figure, o) {
    const columns = figure.column_labels.length, data = [];
    figure.cells.forEach((cell, index) => {
        const row = Math.floor(index / columns), column = index % columns;
        const p = isStacked(figure) ? null : cell.published;
        if (cell.value === null && !p) return;
        data.push({
            index, x: o.across ? column : row, s: o.across ? row : column, value: cell.value,
            low: cell.low, high: cell.high, spread: cell.low !== null && cell.low < cell.high,
            p: p ? p.value : null, plow: p ? p.low : null, phigh: p ? p.high : null,
            label: describeCell(cell),
        });
    });
    return data;
}

function describeCell(cell) {
    const published = cell.published ? `, published ${publishedText(cell.published)}` : '';
    return `${cell.row}, ${cell.column}: ${number(cell.value)}${published}`;
}

function extent(data) {
    const all = data.flatMap((d) => [d.value, d.low, d.high, d.p, d.plow, d.phigh]).filter((v) => v !== null);
    return [Math.min(...all), Math.max(...all)];
}

/* Bars stand on zero; where values differ by orders of magnitude both are logarithmic. */
function valueScale(figure, data) {
    const [least, most] = extent(data);
    if (least > 0 && most / least > 300)
        return { type: 'log', base: 10, domain: [10 ** Math.floor(Math.log10(least)), 10 ** Math.ceil(Math.log10(most))] };
    const room = (most - least) * 0.08;
    if (figure.plot === 'lines' && least > most / 2 && room > 0) return { zero: false, nice: false, domain: [least - room, most + room] };
    return { zero: true, nice: true };
}

function alongScale(o, lines) {
    const places = o.along.map((_, i) => i);
    if (o.firstSet > 0 && o.firstSet < places.length) places.splice(o.firstSet, 0, GAP);
    if (!lines) return { type: 'ordinal', scale: { domain: places, paddingInner: 0.25, paddingOuter: 0.15 } };
    return { type: 'ordinal', scale: { type: 'point', domain: places, padding: 0.4 } };
}

/* Numbers keep their distances: in powers of two where they span a lot. */
function numericScale(values) {
    const least = Math.min(...values), most = Math.max(...values);
    return least > 0 && most / least >= 8 ? { type: 'log', base: 2, nice: false } : { type: 'linear', zero: false, nice: false };
}

function alongEncoding(o, lines, step) {
    const axis = { title: o.alongName === 'workload' ? null : o.alongName, grid: false };
    const numbers = lines && labelsAreNumbers(o.along) && o.firstSet >= o.along.length ? o.along.map(quantity) : null;
    if (numbers && new Set(numbers).size === numbers.length && (Math.min(...numbers) > 0 || !isGeometric(numbers)))
        return {
            numbers, field: 'at', type: 'quantitative', scale: { ...numericScale(numbers), domain: padded(numbers) },
            axis: { ...axis, values: numbers, labelExpr: 'along[indexof(numbers, datum.value)]', labelOverlap: 'greedy' },
        };
    const longest = Math.max(...o.along.map((label) => label.length)) * 6.3;
    const angled = longest > step - 4;
    return {
        field: 'x', ...alongScale(o, lines),
        axis: {
            ...axis, labelExpr: `datum.value === '${GAP}' ? '' : along[datum.value]`, labelOverlap: false, ticks: false,
            labelAngle: angled ? -40 : 0, labelAlign: angled ? 'right' : 'center', labelBaseline: angled ? 'middle' : 'top',
            labelLimit: 170, labelPadding: 7,
            labelFontWeight: { condition: { test: `datum.value >= ${o.firstSet}`, value: 600 }, value: 400 },
            labelColor: { condition: { test: `datum.value >= ${o.firstSet}`, value: 'var(--text)' }, value: 'var(--quiet)' },
        },
    };
}

/* 0, 16KiB, 32KiB ... 1MiB: powers with a zero have no scale of numbers on which all can be seen. */
function isGeometric(numbers) {
    const positive = numbers.filter((n) => n > 0);
    return positive.length > 1 && Math.max(...positive) / Math.min(...positive) >= 8;
}

function padded(numbers) {
    const least = Math.min(...numbers), most = Math.max(...numbers);
    if (least > 0 && most / least >= 8) return [least / 1.15, most * 1.15];
    const room = (most - least) * 0.04;
    return [least - room, most + room];
}

/* How wide: as wide as there is room, but no bar too thin to see or too fat to look at. */
function plotWidth(o, lines, stacked, room) {
    const places = o.along.length + (o.firstSet < o.along.length ? 1 : 0);
    if (lines) return { width: Math.max(260, Math.min(room, 860)), step: Math.min(room, 860) / places };
    const group = 1 / 0.75;
    const bars = stacked ? 1 : o.names.length;
    const least = places * Math.max(bars * LEAST_BAR * group, 15);
    const most = places * Math.max(bars * MOST_BAR * group, 56);
    const width = Math.round(Math.max(least, Math.min(room, most)));
    return { width, step: width / places, bar: 0.75 * width / places / bars };
}

function seriesColour(o, channel = {}) {
    const places = o.names.map((_, i) => i);
    return { field: 's', type: 'nominal', legend: null, scale: { domain: places, range: places.map(colour) }, ...channel };
}

function focused(full) {
    return { condition: { test: 'focus === null || datum.s === focus', value: full }, value: full * 0.15 };
}

/* Layers that bars and lines have in common: what was published, and the spread over seeds. Each is there only when some
   datum needs it: a layer without marks takes as long as one with. */
function besides(x, y, size, outlined) {
    const at = { ...x, opacity: focused(1) };
    const stroke = outlined || { value: 'var(--text)' };
    const quiet = { aria: false, clip: false };
    const layers = [];
    for (const [bound, other, pointing] of [['plow', 'phigh', 'triangle-up'], ['phigh', 'plow', 'triangle-down']])
        layers.push({
            name: bound === 'plow' ? 'least' : 'most', when: (d) => d[bound] !== null && d[other] === null,
            transform: [{ filter: `datum.${bound} !== null && datum.${other} === null` }],
            mark: { ...quiet, type: 'point', shape: pointing, size, fill: 'var(--page)', fillOpacity: 1, strokeWidth: 1.5, tooltip: { content: 'data' } },
            encoding: { ...at, y: { field: bound, ...y }, stroke },
        });
    const both = { filter: 'datum.plow !== null && datum.phigh !== null' }, hasBoth = (d) => d.plow !== null && d.phigh !== null;
    layers.push({
        name: 'range', when: hasBoth,
        transform: [both],
        mark: { ...quiet, type: 'rule', strokeWidth: 1.5, strokeCap: 'round', strokeDash: [2, 2], tooltip: { content: 'data' } },
        encoding: { ...at, y: { field: 'plow', ...y }, y2: { field: 'phigh' }, stroke },
    });
    layers.push({
        when: hasBoth,
        transform: [both, { fold: ['plow', 'phigh'], as: ['end', 'edge'] }],
        mark: { ...quiet, type: 'point', shape: 'stroke', size: size * 1.2, strokeWidth: 1.5, tooltip: { content: 'data' } },
        encoding: { ...at, y: { field: 'edge', ...y }, stroke },
    });
    layers.push({
        name: 'published', when: (d) => d.p !== null,
        transform: [{ filter: 'datum.p !== null' }],
        mark: { ...quiet, type: 'point', shape: 'diamond', size, fill: 'var(--page)', strokeWidth: 1.5, fillOpacity: 1, tooltip: { content: 'data' } },
        encoding: { ...at, y: { field: 'p', ...y }, stroke },
    });
    return layers;
}

function spread(x, y, stroke, cap) {
    const at = { ...x, opacity: focused(1) };
    const mark = { aria: false, tooltip: { content: 'data' }, strokeWidth: 1.25 };
    const filter = { filter: 'datum.spread' }, when = (d) => d.spread;
    return [
        { name: 'spread', when, transform: [filter], mark: { ...mark, type: 'rule' }, encoding: { ...at, y: { field: 'low', ...y }, y2: { field: 'high' }, stroke } },
        { when, transform: [filter, { fold: ['low', 'high'], as: ['end', 'edge'] }], mark: { ...mark, type: 'point', shape: 'stroke', size: cap },
            encoding: { ...at, y: { field: 'edge', ...y }, stroke } },
    ];
}

function barLayers(o, x, y, yScale, size) {
    const at = { x, xOffset: { field: 's', type: 'nominal', scale: { domain: o.names.map((_, i) => i), paddingInner: size.bar > 9 ? 0.1 : 0 } } };
    const floor = yScale.type === 'log' ? { y2: { datum: yScale.domain[0] } } : {};
    const again = o.names.length > SERIES ? { condition: { test: `datum.s >= ${SERIES}`, value: 0.5 }, value: 1 } : { value: 1 };
    const bars = {
        name: 'values',
        transform: [{ filter: 'datum.value !== null' }],
        mark: { type: 'bar', tooltip: { content: 'data' }, width: { band: 1 } },
        encoding: { ...at, y: { field: 'value', ...y }, ...floor, fill: seriesColour(o), fillOpacity: again, opacity: focused(1),
            description: { field: 'label' } },
    };
    const cap = Math.max(9, Math.min(49, size.bar * size.bar * 0.4));
    const diamond = Math.max(45, Math.min(90, size.bar * size.bar * 0.5));
    return [bars, ...spread(at, y, { value: 'var(--text)' }, cap), ...besides(at, y, diamond)];
}

function stackLayers(o, x, y) {
    return [{
        name: 'values', transform: [{ filter: 'datum.value !== null' }],
        mark: { type: 'bar', tooltip: { content: 'data' } },
        encoding: { x, y: { field: 'value', stack: 'zero', ...y }, order: { field: 's', type: 'quantitative' }, fill: seriesColour(o),
            opacity: focused(1), description: { field: 'label' } },
    }];
}

function lineLayers(o, x, y) {
    const places = o.names.map((_, i) => i);
    const stroke = seriesColour(o);
    const dash = { field: 's', type: 'nominal', legend: null, scale: { domain: places, range: places.map((i) => DASHES[Math.floor(i / SERIES) % DASHES.length]) } };
    const mark = { field: 's', type: 'nominal', legend: null, scale: { domain: places, range: places.map((i) => SHAPES[i % SHAPES.length]) } };
    const detail = { field: 's', type: 'nominal' };
    return [
        { mark: { type: 'line', strokeWidth: 2, aria: false, invalid: 'break-paths-filter-domains' },
            encoding: { x, y: { field: 'value', ...y }, stroke, strokeDash: dash, detail, opacity: focused(1) } },
        ...spread({ x }, y, stroke, 49),
        { name: 'values', transform: [{ filter: 'datum.value !== null' }],
            mark: { type: 'point', size: 52, filled: true, tooltip: { content: 'data' } },
            encoding: { x, y: { field: 'value', ...y }, fill: stroke, shape: mark, opacity: focused(1), description: { field: 'label' } } },
        ...besides({ x }, y, 90, stroke),
    ];
}

/* A thin line between programs and folds, and where a ratio says "as fast as". */
function marksBehind(o, lines, ratio, y) {
    const behind = [];
    if (o.firstSet > 0 && o.firstSet < o.along.length)
        behind.push({ data: { values: [{ x: GAP }] }, mark: { type: 'rule', stroke: 'var(--line)', aria: false },
            encoding: { x: { field: 'x', ...alongScale(o, lines) } } });
    if (ratio)
        behind.push({ data: { values: [{ one: 1 }] }, mark: { type: 'rule', stroke: 'var(--quiet)', strokeWidth: 1, strokeDash: [4, 3], aria: false },
            encoding: { y: { field: 'one', ...y } } });
    return behind;
}

function plotConfig() {
    return {
        background: null, font: 'system-ui, sans-serif', view: { stroke: null },
        axis: { labelColor: 'var(--quiet)', titleColor: 'var(--quiet)', titleFontWeight: 400, labelFontSize: 12, titleFontSize: 12,
            domainColor: 'var(--quiet)', tickColor: 'var(--line)', gridColor: 'var(--grid)', titlePadding: 10 },
        axisY: { domain: false, ticks: false, labelPadding: 6, tickCount: 6 },
    };
}

/* Several metrics share an axis; its title is what they have in common. */
function valueTitle(metrics) {
    const units = new Set(metrics.map((metric) => metric.unit));
    if (metrics.length === 1) return metrics[0].unit && metrics[0].unit !== metrics[0].name ? `${metrics[0].name} (${metrics[0].unit})` : metrics[0].name;
    return units.size === 1 ? metrics[0].unit : '';
}

function plotSpec(figure, metrics, room) {
    const o = orientation(figure), lines = figure.plot === 'lines', data = plotData(figure, o);
    if (!data.length) return null;
    const size = plotWidth(o, lines, isStacked(figure), room - 78);
    const { numbers = null, ...x } = alongEncoding(o, lines, size.step);
    if (numbers) for (const d of data) d.at = numbers[d.x];
    const scale = isStacked(figure) ? { zero: true, nice: true } : valueScale(figure, data), [least, most] = extent(data);
    const y = { type: 'quantitative', scale, title: valueTitle(metrics) || null,
        axis: { format: most >= 10000 ? '~s' : undefined, labelExpr: "datum.value === 0 ? '0' : datum.label", ...(scale.type === 'log' ? { tickCount: 5 } : {}) } };
    const ratio = !isStacked(figure) && metrics.every((metric) => metric.fold === 'geomean' && !metric.unit) && least <= 1.5 && most >= 0.67;
    const front = lines ? lineLayers(o, x, y) : isStacked(figure) ? stackLayers(o, x, y) : barLayers(o, x, y, scale, size);
    const layer = [...marksBehind(o, lines, ratio, y), ...front.filter((one) => !one.when || data.some(one.when)).map(({ when, ...one }) => one)];
    return {
        o, data, logarithmic: scale.type === 'log',
        spec: {
            description: `${figure.title}: ${metrics.map((metric) => metric.name).join(', ')} by ${o.alongName} and ${o.namesName}. The table below has all values.`,
            width: size.width, height: PLOT_HEIGHT, padding: { left: 2, right: 12, top: 8, bottom: 2 },
            params: [{ name: 'along', value: o.along }, { name: 'numbers', value: numbers || [] }, { name: 'focus', value: null }],
            data: { values: data }, layer, config: plotConfig(),
        },
    };
}
