/* Elements and numbers. Every text becomes a text node, whatever it holds. */

function element(name, properties, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(properties || {}))
        if (value === null || value === undefined || value === false) continue;
        else made.setAttribute(key, value === true ? '' : value);
    made.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return made;
}

const SVG = 'http://www.w3.org/2000/svg';
function shape(name, properties) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(properties)) made.setAttribute(key, value);
    return made;
}

const MINUS = '\u2212', DASH = '\u2013';
const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/* As in the terminal: three decimals for numbers of everyday size. */
function number(value) {
    if (value === null || value === undefined) return DASH;
    const size = Math.abs(value);
    let text;
    if (size >= 1000 || size === 0) text = grouped.format(size);
    else if (size >= 0.01) text = size.toFixed(3);
    else text = String(Number(size.toPrecision(3)));
    return (value < 0 ? MINUS : '') + text;
}

/* All digits that there are. */
function exact(value) {
    if (value === null || value === undefined) return DASH;
    const rounded = Number(value.toPrecision(10));
    return Math.abs(rounded) >= 1000 ? rounded.toLocaleString('en-US', { maximumFractionDigits: 6 }) : String(rounded);
}

/* "1.300", "1.300 (1.100–1.500)", "1.100–1.500", "> 1.100" or "< 1.500". */
function publishedText(published, show = number) {
    const { value, low, high } = published;
    let range = '';
    if (low !== null && high !== null) range = `${show(low)}${DASH}${show(high)}`;
    else if (low !== null) range = `> ${show(low)}`;
    else if (high !== null) range = `< ${show(high)}`;
    if (value === null) return range;
    return show(value) + (range ? ` (${range})` : '');
}

/* Ours against the published value, in percent of it; against a range or a bound, how far outside. null: nothing to compare. */
function difference(cell) {
    const { value, published } = cell;
    if (value === null || !published) return null;
    let target = published.value;
    if (target === null) {
        if (published.low !== null && value < published.low) target = published.low;
        else if (published.high !== null && value > published.high) target = published.high;
        else return 0;
    }
    return target === 0 ? null : 100 * (value - target) / Math.abs(target);
}

function differenceText(cell) {
    const percent = difference(cell);
    if (percent === null) return DASH;
    if (percent === 0 && cell.published.value === null) return 'as published';
    const size = Math.abs(percent).toFixed(Math.abs(percent) < 99.95 ? 1 : 0);
    if (Number(size) === 0) return '0.0%';
    return `${percent < 0 ? MINUS : '+'}${size}%`;
}

/* ---- verdicts ---- */

const VERDICTS = ['agrees', 'near', 'direction only', 'differs', 'no value'];

/* Folds over sets first: they are what papers speak of. */
function publishedCells(figure) {
    const isFold = (cell) => figure.row_labels.indexOf(cell.row) >= figure.first_set;
    const cells = figure.cells.filter((cell) => cell.published);
    return [...cells.filter(isFold), ...cells.filter((cell) => !isFold(cell))];
}

/* "agrees; rests on xsbench (without it 1.030)" */
function verdictText(cell) {
    const { word, rests_on: program, without } = cell.published.verdict;
    return word + (program === null ? '' : `; rests on ${program} (without it ${number(without)})`);
}

/* "14 values: 10 agree (8 resting on one program), 3 near, 1 differs" */
function tally(cells) {
    const having = (word) => cells.filter((cell) => cell.published.verdict.word === word);
    const resting = having('agrees').filter((cell) => cell.published.verdict.rests_on !== null).length;
    const plural = { agrees: 'agree', differs: 'differ' };
    const parts = VERDICTS.filter((word) => having(word).length).map((word) =>
        `${having(word).length} ${having(word).length > 1 && plural[word] || word}${word === 'agrees' && resting ? ` (${resting} resting on one program)` : ''}`);
    return `${count(cells.length, 'value')}: ${parts.join(', ')}`;
}

/* A line with a mark: what it is of, ours, the published one, and what a mean rests on. */
function verdictLine(cell, name) {
    const { word, rests_on: program, without } = cell.published.verdict;
    return element('li', {}, element('span', { class: `verdict ${slug(word)}` }, word), element('span', {}, ` ${name}: `,
        element('strong', {}, number(cell.value)), `, published ${publishedText(cell.published)}`, cell.value === null ? null : ` (${differenceText(cell)})`,
        program === null ? null : element('span', { class: 'rests' }, `; rests on ${program} (without it ${number(without)})`)));
}

function count(amount, word) {
    return `${grouped.format(amount)} ${word}${amount === 1 ? '' : 's'}`;
}

const FOLDS = { geomean: 'geometric mean', mean: 'mean', min: 'least', max: 'most', sum: 'sum' };

/* The number of a label such as 512, 16KiB, 20us or 50%; null: it is a name. */
const UNITS = {
    '': 1, '%': 0.01, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40, B: 1, kB: 1e3, KB: 1e3, MB: 1e6, GB: 1e9,
    ns: 1e-9, us: 1e-6, ms: 1e-3, s: 1, Hz: 1, kHz: 1e3, MHz: 1e6, GHz: 1e9, 'MB/s': 1e6, 'GB/s': 1e9, 'TB/s': 1e12,
    'GiB/s': 2 ** 30, x: 1,
};
function quantity(label) {
    const parts = /^(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?) ?([A-Za-z/%]*)$/.exec(label);
    return parts && Object.hasOwn(UNITS, parts[2]) ? Number(parts[1]) * UNITS[parts[2]] : null;
}

function slug(text) {
    return text.replace(/[^A-Za-z0-9_.]+/g, '-').slice(0, 60) || '-';
}
