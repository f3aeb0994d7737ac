/* Numbers over simulated time: small panels, a row of them for each series, one for each label of the figure's rows, in each a
   line for each label of its columns. */

const PANEL_HEIGHT = 120, LEAST_PANEL = 230, PANEL_GAP = 16, PANEL_AXIS = 46, PANEL_FOOT = 48, HEADROOM = 1.08, MILLISECONDS = 1000;
const ZERO = "datum.value === 0 ? '0' : datum.label";

/* Levels are of a bin's end, the others of all of it. */
function linePoints(cell, index, kind, names) {
    const { seconds, values, column } = cell.line, shift = kind === 'level' ? 1 : 0.5;
    return values.map((value, i) => ({ index, s: names.indexOf(column), at: (i + shift) / values.length * seconds * MILLISECONDS, value }));
}

function panelSpec(title, series, cells, names, width, last) {
    const data = cells.flatMap(({ cell, index }) => linePoints(cell, index, series.kind, names));
    const end = Math.max(...cells.map(({ cell }) => cell.line.seconds)) * MILLISECONDS;
    const most = Math.max(...data.map((d) => d.value));
    const places = names.map((_, i) => i);
    return {
        title: { text: title, anchor: 'start', frame: 'group', fontSize: 12, fontWeight: 600, color: 'var(--text)', offset: 4 },
        width, height: PANEL_HEIGHT, data: { values: data },
        mark: { type: 'line', strokeWidth: 1.75, strokeJoin: 'round', aria: false, tooltip: { content: 'data' } },
        encoding: {
            x: { field: 'at', type: 'quantitative', scale: { domain: [0, end], nice: false },
                axis: { title: last ? 'milliseconds' : null, grid: false, tickCount: 5, labelExpr: ZERO } },
            y: { field: 'value', type: 'quantitative', scale: { domain: [0, HEADROOM * (series.kind === 'share' ? 1 : most || 1)], nice: false },
                axis: { title: null, tickCount: 3, labelExpr: ZERO, format: most >= 10000 ? '~s' : undefined } },
            stroke: { field: 's', type: 'nominal', legend: null, scale: { domain: places, range: places.map(colour) } },
            strokeDash: { field: 's', type: 'nominal', legend: null, scale: { domain: places, range: places.map((i) => DASHES[Math.floor(i / SERIES) % DASHES.length]) } },
            detail: { field: 's', type: 'nominal' }, opacity: focused(1),
        },
    };
}

/* All panels of a series, as many beside each other as there is room for. */
function seriesRow(figure, series, number, panels, names, room, last) {
    const drawn = figure.cells.map((cell, index) => ({ cell, index })).filter(({ cell, index }) =>
        index % figure.column_labels.length === number && cell.line.values.length);
    const beside = Math.max(1, Math.min(panels.length, Math.floor(room / LEAST_PANEL)));
    const width = Math.floor(Math.min(420, room / beside - PANEL_AXIS - PANEL_GAP));
    return {
        title: { text: `${series.name}: ${series.doc}`, anchor: 'start', frame: 'group', fontSize: 13, fontWeight: 400,
            color: 'var(--quiet)', offset: 10 },
        columns: beside, bounds: 'flush', spacing: { row: PANEL_FOOT, column: PANEL_AXIS + PANEL_GAP },
        concat: panels.map((panel) => [panel, drawn.filter(({ cell }) => cell.line.row === panel)]).filter(([, cells]) => cells.length)
            .map(([panel, cells]) => panelSpec(panel, series, cells, names, width, last)),
    };
}

function seriesPlot(figure, room) {
    const { series, lines, panels: panelsName } = figure.over_time;
    const labels = (key) => [...new Set(figure.cells.map((cell) => cell.line[key]))];
    const names = labels('column'), panels = labels('row');
    const rows = series.map((one, i) => seriesRow(figure, one, i, panels, names, room, i === series.length - 1)).filter((row) => row.concat.length);
    if (!rows.length) return null;
    return {
        o: { names, namesName: lines }, data: [], logarithmic: false,
        spec: {
            description: `${figure.title}: ${series.map((one) => one.name).join(', ')} over simulated time, by ${panelsName} and ${lines}. The table below has means.`,
            padding: { left: 2, right: 12, top: 8, bottom: 2 }, params: [{ name: 'focus', value: null }],
            vconcat: rows, spacing: 24, config: plotConfig(),
        },
    };
}

function seriesLine(figure) {
    const where = Object.entries(figure.where).map(([key, value]) => `${key} = ${value}`);
    return element('p', { class: 'metric' }, 'Over simulated time, each run from its beginning to its end',
        where.length ? `; at ${where.join(', ')}` : null, figure.over ? `; workloads: ${figure.over}` : null,
        '. The table has the mean over the run, and the least and the greatest of its bins.');
}
