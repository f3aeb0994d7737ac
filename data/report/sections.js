/* What is around the figures: facts, contents, settings, references, failures, runs. */

function facts(study) {
    const missing = study.runs - study.done - study.failed;
    const runs = [`${count(study.done, 'run')} done`, study.failed ? `${study.failed} failed` : null, missing ? `${missing} missing` : null];
    const builds = study.builds.split(', ').filter((b) => b).map((build) => build.slice(0, 12)).join(', ');
    const commits = study.commits.split(', ').filter((c) => c).map((c) => c.slice(0, 12) + (c.endsWith('+') ? ' with changes' : '')).join(', ');
    const day = (time) => time.replace('T', ' ').replace('Z', ' UTC');
    const when = study.first_finished === study.last_finished ? day(study.last_finished)
        : `${day(study.first_finished)} to ${day(study.last_finished)}`;
    const rows = [
        ['Machine', study.machines], ['Sizes', study.sizes], ['Runs', runs.filter((r) => r).join(', ')], ['Published', agreement(study)],
        ['Made by', `warpwalk ${study.versions}${commits ? `, commit ${commits}` : ''}${builds ? `, build ${builds}` : ''}`], ['Finished', study.last_finished ? when : ''], ['File', study.file],
    ];
    return element('dl', { class: 'facts' }, ...rows.filter(([, text]) => text).flatMap(([name, text]) =>
        [element('dt', {}, name), element('dd', {}, text)]));
}

/* What the page opens with: the verdicts of headline figures, as many as can be read at a glance. */
const MOST_HEADLINES = 6;
function headlineCells(figure) { return figure.headline ? publishedCells(figure).slice(0, MOST_HEADLINES) : []; }

function headlines(study) {
    const shown = study.figures.filter((figure) => headlineCells(figure).length);
    const name = (figure, cell) => shown.length > 1 ? `${figure.title}, ${cell.row}, ${cell.column}` : `${cell.row}, ${cell.column}`;
    const lines = shown.flatMap((figure) => headlineCells(figure).map((cell) => verdictLine(cell, name(figure, cell))));
    if (!lines.length) return null;
    return element('section', { class: 'headlines', 'aria-label': 'Headlines' }, element('ul', { class: 'verdicts' }, ...lines));
}

function agreement(study) {
    const cells = study.figures.flatMap(publishedCells);
    return cells.length ? tally(cells) : '';
}

function sectionsOf(study) { return [...new Set(study.figures.map((figure) => figure.section))].filter((name) => name); }
function sectionId(study, name) { return `${slug(study.study)}.section.${slug(name)}`; }

function contents(study) {
    const links = study.figures.filter((figure) => !figure.section).map((figure) => {
        const cells = publishedCells(figure);
        return element('li', {}, element('a', { href: `#${figureId(study, figure)}` }, figure.title),
            cells.length ? element('span', { class: 'quiet' }, ` ${cells.length} published`) : null);
    });
    const sections = sectionsOf(study).map((name) => element('li', {}, element('a', { href: `#${sectionId(study, name)}` }, name),
        element('span', { class: 'quiet' }, ` ${count(study.figures.filter((figure) => figure.section === name).length, 'figure')}, folded away`)));
    return element('nav', { class: 'contents', 'aria-label': `Figures of ${study.study}` }, element('ol', {}, ...links),
        sections.length ? element('ul', {}, ...sections) : null);
}

function part(title, about, ...children) {
    return element('section', { class: 'part' }, element('h2', {}, title), about ? element('p', { class: 'quiet' }, about) : null, ...children);
}

function scrolling(name, table) {
    return element('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': name }, table);
}

/* ---- settings ---- */

function settingText(values) {
    if (!values) return DASH;
    return values.length > 6 ? `${values.slice(0, 5).join(', ')}, ... (${values.length} values)` : values.join(', ');
}

function settingsTable(study, names, rows, emphasise) {
    const head = element('tr', {}, element('th', { scope: 'col' }, 'key'), ...names.map((name) => element('th', { scope: 'col', class: 'text' }, name)));
    const body = rows.map(({ key, texts }) => element('tr', {}, element('th', { scope: 'row' }, element('code', {}, key)),
        ...texts.map((text) => element('td', { class: emphasise && text !== texts[0] ? 'text differs' : 'text' }, text))));
    return element('table', { class: 'data' }, element('thead', {}, head), element('tbody', {}, ...body));
}

function settings(study) {
    const names = study.variants.map((variant) => variant.name).filter((name) => study.points.some((p) => p.variant === name));
    const rows = study.settings.map(({ key, values }) => ({ key, values, texts: names.map((name) => settingText(values[name])) }));
    const between = rows.filter(({ texts }) => texts.some((text) => text !== DASH && text !== texts[0]));
    const within = rows.filter((row) => !between.includes(row)).map(({ key, values }) => ({ key, texts: [settingText(Object.values(values)[0])] }));
    const docs = study.variants.filter((variant) => variant.doc && names.includes(variant.name));
    if (!between.length && !within.length && !docs.length) return null;
    return part('Variants and settings', null,
        docs.length ? element('dl', { class: 'facts' }, ...docs.flatMap((v) => [element('dt', {}, element('code', {}, v.name)), element('dd', {}, v.doc)])) : null,
        between.length ? element('h3', {}, 'Keys that differ between variants') : null,
        between.length ? scrolling('Keys that differ between variants', settingsTable(study, names, between, true)) : null,
        within.length ? element('h3', {}, 'Keys that vary in all variants alike') : null,
        within.length ? scrolling('Keys that vary in all variants alike', settingsTable(study, ['values'], within, false)) : null);
}

/* ---- references ---- */

function references(study) {
    const bySource = new Map();
    study.figures.forEach((figure, index) => figure.cells.filter((cell) => cell.published).forEach((cell) => {
        const { source } = cell.published;
        if (!bySource.has(source)) bySource.set(source, []);
        bySource.get(source).push({ figure, ordinal: index + 1, cell });
    }));
    if (!bySource.size) return null;
    const row = ({ figure, ordinal, cell }) => element('tr', {},
        element('th', { scope: 'row' }, element('a', { href: `#${figureId(study, figure)}` }, `Figure ${ordinal}`)),
        element('td', { class: 'text' }, `${cell.row}, ${cell.column}`), element('td', {}, publishedText(cell.published)),
        element('td', {}, number(cell.value)), element('td', {}, differenceText(cell)),
        element('td', { class: 'text' }, verdictText(cell)), element('td', { class: 'text wide' }, cell.published.note));
    const head = ['where', 'value of', 'published', 'ours', 'difference', 'verdict', 'note'].map((word, i) =>
        element('th', { scope: 'col', class: i === 1 || i > 4 ? 'text' : null }, word));
    const items = [...bySource].map(([source, found]) => element('li', {}, source, element('details', { class: 'table' },
        element('summary', {}, count(found.length, 'value')),
        scrolling(source, element('table', { class: 'data' }, element('thead', {}, element('tr', {}, ...head.map((h) => h.cloneNode(true)))), element('tbody', {}, ...found.map(row)))))));
    return part('References', null, element('ol', { class: 'references' }, ...items));
}

/* ---- failures and runs ---- */

function failuresId(study) { return `${slug(study.study)}.failures`; }

function failures(study) {
    if (!study.failures.length) return null;
    const made = part('Failures', null, ...study.failures.map((failure) => element('div', { class: 'failure' },
        element('h3', {}, `${failure.point}: exit status ${failure.exit_status}`),
        element('pre', {}, failure.message || '(it wrote nothing)'), element('pre', {}, failure.command))));
    made.id = failuresId(study);
    return made;
}

function runRow(point, axes) {
    const link = point.status === 'pending' ? 'not made yet'
        : element('a', { href: `runs/${point.raw}.json` }, point.status === 'done' ? 'statistics' : 'what is known');
    return element('tr', {}, element('th', { scope: 'row' }, point.workload), element('td', { class: 'text' }, point.variant),
        ...axes.map((axis) => element('td', { class: 'text' }, point.axes[axis] ?? '')), element('td', {}, String(point.seed)),
        element('td', { class: 'text' }, point.size), element('td', { class: 'text' }, point.status), element('td', {}, number(point.cycles)),
        element('td', {}, point.wall_seconds === null ? DASH : `${point.wall_seconds.toFixed(2)} s`), element('td', { class: 'text' }, link));
}

/* Made when it is opened: there may be thousands. */
function fillRuns(study, place) {
    const axes = [...new Set(study.points.flatMap((point) => Object.keys(point.axes)))];
    const words = ['workload', 'variant', ...axes, 'seed', 'size', 'status', 'cycles', 'took', 'raw result'];
    const body = element('tbody', {}, ...study.points.map((point) => runRow(point, axes)));
    const filter = element('input', { type: 'search', placeholder: 'words that a run must have', 'aria-label': 'Filter of runs' });
    filter.addEventListener('input', () => {
        const wanted = filter.value.toLowerCase().split(/\s+/).filter((word) => word);
        for (const row of body.rows) row.hidden = !wanted.every((word) => row.textContent.toLowerCase().includes(word));
    });
    const head = words.map((word) => element('th', { scope: 'col', class: ['seed', 'cycles', 'took'].includes(word) ? null : 'text' }, word));
    place.append(filter, scrolling(`Runs of ${study.study}`, element('table', { class: 'data' }, element('thead', {}, element('tr', {}, ...head)), body)));
}

function runs(study) {
    const list = element('details', { class: 'list' }, element('summary', {}, `${count(study.points.length, 'point')} from ${count(study.runs, 'run')}`));
    list.addEventListener('toggle', () => { if (list.open && list.childElementCount === 1) fillRuns(study, list); });
    const made = part('Runs', 'Every number of every run is in the folder runs beside this page: resolved configuration, statistics, kernels.', list);
    made.classList.add('runs');
    return made;
}
