/* page.mjs WIDE NASTY: two folders of `report --html`, of wide.yaml and nasty.yaml. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { Browser } from '../support/browser.mjs';

const [wide, nasty] = process.argv.slice(2);
const MOST_BYTES = 5e6;
const MOST_MILLISECONDS = 10000; /* two seconds is the aim; a busy machine is not a mistake of the page */
let failures = 0;

function check(holds, what) {
    if (holds) return;
    console.log(`FAILED: ${what}`);
    failures++;
}

async function show(browser, folder, options) {
    await browser.open(`file://${folder}/index.html`, options);
    await browser.until('document.documentElement.dataset.renderMilliseconds');
    check(browser.complaints.length === 0, `complaints: ${browser.complaints.join('; ')}`);
    const elsewhere = browser.requests.filter((url) => url !== `file://${folder}/index.html` && !url.startsWith('data:'));
    check(elsewhere.length === 0, `it asks for ${elsewhere.join(', ')}`);
}

/* As the page shows them: headlines, others, sections. */
function inOrder(study) {
    const place = (figure) => figure.headline ? 0 : figure.section ? 2 + study.figures.findIndex((one) => one.section === figure.section) : 1;
    study.figures = [...study.figures].sort((a, b) => place(a) - place(b));
    return study;
}

function studiesOf(folder) {
    const studies = JSON.parse(/<script type="application\/json" id="data">([^<]*)<\/script>/.exec(readFileSync(`${folder}/index.html`, 'utf8'))[1]);
    return studies.map(inOrder);
}

/* ---- plots ---- */

/* Of each figure, how many marks every layer has, and the heights of bars. */
const LOOK = `[...document.querySelectorAll('.figure')].map((figure) => {
    const marks = (name) => [...figure.querySelectorAll('.' + name + '_marks > *')];
    const svg = figure.querySelector('.plot svg');
    const inside = (text) => { const t = text.getBoundingClientRect(), s = svg.getBoundingClientRect();
        return t.left >= s.left - 1 && t.right <= s.right + 1 && t.bottom <= s.bottom + 1 && t.top >= s.top - 1; };
    return {
        title: figure.querySelector('h2').textContent,
        counts: Object.fromEntries(['values', 'published', 'range', 'least', 'most', 'spread'].map((name) => [name, marks(name).length])),
        heights: marks('values').map((mark) => mark.getBBox().height),
        boxes: marks('values').map((mark) => mark.getBBox()).map(({ x, y, height }) => ({ x, y, height })),
        texts: svg ? [...svg.querySelectorAll('text')].map((t) => t.textContent) : [],
        clipped: svg ? [...svg.querySelectorAll('text')].filter((t) => t.textContent && !inside(t)).map((t) => t.textContent) : [],
        aria: figure.querySelector('.plot').getAttribute('aria-label'),
        legend: [...figure.querySelectorAll('.legend > *')].map((entry) => entry.textContent),
        head: [...figure.querySelectorAll('thead tr:last-child th')].length,
        rows: [...figure.querySelectorAll('tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent)),
        folds: figure.querySelectorAll('tbody.folds tr').length,
        empty: !!figure.querySelector('.plot .empty'),
    };
})`;

function wantedCounts(figure) {
    const count = (test) => figure.cells.filter(test).length;
    if (figure.plot === 'stacked') /* published values and spreads are in the table only */
        return { values: count((cell) => cell.value !== null), published: 0, range: 0, least: 0, most: 0, spread: 0 };
    const bound = (cell, low, high) => cell.published && (cell.published.low !== null) === low && (cell.published.high !== null) === high;
    return {
        values: count((cell) => cell.value !== null), published: count((cell) => cell.published && cell.published.value !== null),
        range: count((cell) => bound(cell, true, true)), least: count((cell) => bound(cell, true, false)),
        most: count((cell) => bound(cell, false, true)), spread: count((cell) => cell.low !== null && cell.low < cell.high),
    };
}

/* Bars on an axis from zero are as high as their values. */
function checkHeights(seen, figure) {
    const values = figure.cells.filter((cell) => cell.value !== null).map((cell) => cell.value);
    const scale = Math.max(...seen.heights) / Math.max(...values);
    const wrong = values.filter((value, i) => Math.abs(seen.heights[i] - value * scale) > 1);
    check(wrong.length === 0, `${seen.title}: ${wrong.length} bars are not as high as their values`);
}

/* Each begins where the one before ends, the first at the bottom. */
function checkStacks(seen, figure) {
    const columns = figure.column_labels.length, bottom = Math.max(...seen.boxes.map((box) => box.y + box.height));
    const wrong = seen.boxes.filter((box, i) => {
        const below = i % columns ? seen.boxes[i - 1] : { x: box.x, y: bottom };
        return Math.abs(box.x - below.x) > 0.5 || Math.abs(box.y + box.height - below.y) > 1;
    });
    check(wrong.length === 0, `${seen.title}: ${wrong.length} bars do not stand on the ones below`);
}

/* Sections are closed, and what is in them is drawn when they are opened. */
async function checkFolds(browser, study) {
    const folded = study.figures.filter((figure) => figure.section), names = [...new Set(folded.map((figure) => figure.section))];
    const seen = await browser.evaluate(`[...document.querySelectorAll('details.fold')].map((fold) => ({ open: fold.open,
        title: fold.querySelector('summary .title').textContent, figures: fold.querySelectorAll('.figure').length, drawn: fold.querySelectorAll('.plot > *').length }))`);
    check(seen.map((fold) => fold.title).join() === names.join(), `sections ${seen.map((fold) => fold.title).join()}`);
    check(seen.every((fold) => !fold.open && fold.drawn === 0), 'a section is open, or drawn before it is opened');
    check(seen.reduce((sum, fold) => sum + fold.figures, 0) === folded.length, 'a section lacks figures');
    await browser.evaluate(`document.querySelectorAll('details.fold').forEach((fold) => { fold.open = true; })`);
    await browser.until(`![...document.querySelectorAll('.fold .plot')].some((plot) => !plot.firstChild)`);
}

/* The page opens with the verdicts of headline figures, then these figures. */
async function checkHeadlines(browser, study) {
    const [headline] = study.figures, lines = await browser.evaluate(`[...document.querySelectorAll('.headlines li')].map((line) => line.textContent)`);
    const cells = headline.cells.filter((cell) => cell.published);
    check(lines.length === Math.min(cells.length, 6), `${lines.length} headlines of ${cells.length}`);
    const isFold = (cell) => headline.row_labels.indexOf(cell.row) >= headline.first_set;
    const ordered = [...cells.filter(isFold), ...cells.filter((cell) => !isFold(cell))];
    ordered.slice(0, 6).forEach((cell, i) => {
        const { word, rests_on: program } = cell.published.verdict;
        const wanted = [word, `${cell.row}, ${cell.column}`, ...(cell.value === null ? [] : [cell.value.toFixed(3)]), ...(program ? [`rests on ${program}`] : [])];
        for (const text of wanted) check(lines[i].includes(text), `a headline lacks "${text}": ${lines[i]}`);
    });
    check(ordered.some((cell) => cell.published.verdict.word === 'agrees') && ordered.some((cell) => cell.published.verdict.rests_on), 'made-up verdicts are all alike');
    const order = await browser.evaluate(`[...document.querySelectorAll('.study > *')].map((one) => one.className || one.tagName)`);
    check(order.indexOf('headlines') < order.indexOf('figure') && order.indexOf('figure') < order.indexOf('facts'), `order: ${order.join()}`);
    const before = await browser.evaluate(`document.querySelector('.headlines').getBoundingClientRect().top + scrollY`);
    check(before < 300, `the headlines begin at ${before}`);
}

async function checkFigures(browser, study) {
    const seen = await browser.evaluate(LOOK);
    check(seen.length === study.figures.length, `${seen.length} figures, not ${study.figures.length}`);
    study.figures.forEach((figure, i) => {
        const wanted = wantedCounts(figure);
        const empty = wanted.values + wanted.published + wanted.least + wanted.most + wanted.range === 0;
        check(seen[i].title === `Figure ${i + 1} ${figure.title}`, `title ${seen[i].title}`);
        check(seen[i].empty === empty, `${figure.name}: ${empty ? 'nothing is said of missing runs' : 'no plot'}`);
        for (const [name, count] of Object.entries(wanted))
            check(seen[i].counts[name] === count, `${figure.name}: ${seen[i].counts[name]} marks of ${name}, not ${count}`);
        check(seen[i].legend.includes('published') === wanted.published > 0, `${figure.name}: the legend says "published" or not`);
        check(seen[i].rows.length === figure.row_labels.length, `${figure.name}: ${seen[i].rows.length} rows`);
        check(seen[i].folds === figure.row_labels.length - figure.first_set, `${figure.name}: folds are not apart`);
        check(seen[i].clipped.length === 0, `${figure.name}: clipped: ${seen[i].clipped.join(', ')}`);
        if (empty) return;
        check(seen[i].aria?.startsWith(figure.title), `${figure.name}: no description`);
        if (figure.plot === 'stacked') checkStacks(seen[i], figure);
        if (['bars', 'stacked'].includes(figure.plot) && !seen[i].legend.includes('logarithmic scale')) checkHeights(seen[i], figure);
    });
    return seen;
}

/* ---- what is in the study of many runs ---- */

function checkTable(seen, figure) {
    const at = figure.row_labels.indexOf('atax'), cell = figure.cells[at * figure.column_labels.length + 1];
    const percent = 100 * (cell.value / 1.1 - 1), text = `${percent < 0 ? '\u2212' : '+'}${Math.abs(percent).toFixed(1)}%`;
    const [name, , ours, published, difference] = seen.rows[at];
    check(name === 'atax' && ours.startsWith(cell.value.toFixed(3)) && published === '1.100' && difference === text,
        `the table says ${seen.rows[at].join(' | ')}, not ${cell.value}, 1.100, ${text}`);
}

function checkAxes(seen, study) {
    const named = (name) => seen[study.figures.findIndex((figure) => figure.name === name)];
    for (const name of ['size', 'programs'])
        for (const label of ['16KiB', '32KiB', '64KiB', '128KiB'])
            check(named(name).texts.includes(label), `${name}: no label ${label}`);
    for (const label of ['rr', 'large']) check(named('schedulers').texts.includes(label), `schedulers: no label ${label}`);
    for (const label of ['atax', 'xsbench', 'irregular']) check(named('speedup').texts.includes(label), `speedup: no label ${label}`);
    check(named('magnitudes').legend.includes('logarithmic scale'), 'magnitudes: not logarithmic');
    check(named('size').legend.includes('published range') && named('speedup').legend.includes('spread over seeds'), 'legends');
    check(named('programs').legend.slice(0, 4).join() === 'atax,bfs,kmeans,spmv', `programs: lines are ${named('programs').legend.join()}`);
}

async function hover(browser, selector) {
    await browser.evaluate(`document.querySelector('${selector}').scrollIntoView({block: 'center', behavior: 'instant'})`);
    const { x, y } = await browser.evaluate(`(() => { const b = document.querySelector('${selector}').getBoundingClientRect();
        return {x: b.left + b.width / 2, y: b.top + b.height / 2}; })()`);
    await browser.move(x, y);
    return browser.evaluate(`(() => { const tip = document.getElementById('tip'); return tip.hidden ? '' : tip.innerText; })()`);
}

async function checkHover(browser, study) {
    const first = study.figures[0].cells[0], diamond = study.figures[0].cells.find((cell) => cell.published && cell.published.value !== null);
    const bar = await hover(browser, '.figure .values_marks > *');
    check(bar.includes(`${first.row}, ${first.column}`) && bar.includes('ours') && bar.includes(String(first.value)), `hover over a bar: ${bar}`);
    const mark = await hover(browser, '.figure .published_marks > *');
    for (const text of [`${diamond.row}, ${diamond.column}`, String(Number(diamond.value.toPrecision(10))), String(diamond.published.value), diamond.published.source, diamond.published.note, 'over seeds'])
        check(mark.includes(text), `hover over a published value lacks "${text}": ${mark}`);
    await browser.move(2, 2);
    check(await browser.evaluate(`document.getElementById('tip').hidden`), 'the hover stays');
}

async function checkLegend(browser) {
    const faded = () => browser.evaluate(`[...document.querySelectorAll('.figure')[0].querySelectorAll('.values_marks > *')]
        .filter((mark) => Number(mark.getAttribute('opacity') ?? 1) < 0.5).length`);
    const click = () => browser.evaluate(`document.querySelectorAll('.legend button')[1].click()`);
    check(await faded() === 0, 'bars are faded from the beginning');
    await click();
    check(await faded() > 100, 'a click on a name lets nothing fade');
    await click();
    check(await faded() === 0, 'another click brings nothing back');
}

async function checkRuns(browser, study) {
    await browser.evaluate(`document.querySelector('.runs details').open = true`);
    await browser.until(`document.querySelector('.runs tbody')`);
    const links = await browser.evaluate(`[...document.querySelectorAll('.runs tbody a')].map((a) => a.getAttribute('href'))`);
    const rows = await browser.evaluate(`document.querySelectorAll('.runs tbody tr').length`);
    check(rows === study.points.length, `${rows} runs are listed, not ${study.points.length}`);
    check(links.length === study.points.filter((point) => point.status !== 'pending').length, `${links.length} links to raw results`);
    check(links.every((link) => existsSync(`${wide}/${link}`)), 'a raw result is not there');
    const raw = JSON.parse(readFileSync(`${wide}/${links[0]}`, 'utf8'));
    check(raw.cycles === study.points[0].cycles && Object.keys(raw.stats).length > 100 && raw.config['core.scheduler'] === 'rr', 'a raw result lacks something');
}

async function checkSections(browser, study) {
    const text = await browser.evaluate(`document.getElementById('report').innerText`);
    for (const words of ['519 runs done, 5 failed, 4 missing', 'gtx480-cawa', 'Keys that differ between variants', 'l1d.replacement', 'srrip',
        'Nobody et al., 2020, abstract', 'something <b>went wrong</b>', 'last line', study.builds.slice(0, 12), 'the same warp until it waits'])
        check(text.includes(words), `the page does not say "${words}"`);
    const dead = await browser.evaluate(`[...document.querySelectorAll('a[href^="#"]')].map((a) => a.getAttribute('href')).filter((id) => !document.getElementById(id.slice(1)))`);
    check(dead.length === 0, `links to nowhere: ${dead.join(', ')}`);
}

/* ---- light, dark, paper, narrow ---- */

const COLOURS = `(() => {
    const style = (selector, name) => getComputedStyle(document.querySelector(selector))[name];
    return {page: style('body', 'backgroundColor'), text: style('body', 'color'), quiet: style('.metric', 'color'), link: style('a', 'color'),
        bar: style('.values_marks > *', 'fill'), axis: style('.plot .role-axis-label text', 'fill')};
})()`;

/* The contrast of the WCAG: 4.5 is what text needs. */
function contrast(one, other) {
    const light = (colour) => colour.match(/[\d.]+/g).slice(0, 3).map(Number).map((c) => c / 255)
        .map((c) => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4).reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    const [a, b] = [light(one), light(other)].sort((x, y) => y - x);
    return (a + 0.05) / (b + 0.05);
}

async function checkColours(browser) {
    const seen = {};
    for (const scheme of ['light', 'dark']) {
        await browser.media({ 'prefers-color-scheme': scheme });
        seen[scheme] = await browser.evaluate(COLOURS);
        for (const what of ['text', 'quiet', 'link', 'axis'])
            check(contrast(seen[scheme][what], seen[scheme].page) >= 4.5, `${scheme}: ${what} is hard to read`);
        check(contrast(seen[scheme].bar, seen[scheme].page) >= 2.5, `${scheme}: bars are hard to see`);
    }
    for (const what of Object.keys(seen.light)) check(seen.light[what] !== seen.dark[what], `${what} has the same colour in the dark`);
    await browser.evaluate(`document.getElementById('theme').click()`);
    check(JSON.stringify(await browser.evaluate(COLOURS)) === JSON.stringify(seen.light), 'the button does not make it light');
    await browser.evaluate(`document.getElementById('theme').click()`);
    check(JSON.stringify(await browser.evaluate(COLOURS)) === JSON.stringify(seen.dark), 'the button does not make it dark');
    await browser.media({ 'prefers-color-scheme': 'dark' }, 'print');
    const paper = await browser.evaluate(COLOURS);
    check(paper.page === 'rgb(255, 255, 255)' && paper.bar === seen.light.bar && paper.axis === seen.light.axis, 'it is not light on paper');
    check(await browser.evaluate(`getComputedStyle(document.getElementById('theme')).display`) === 'none', 'a button on paper');
    await browser.media();
}

async function checkPaper(browser) {
    await show(browser, wide);
    const closed = `document.querySelectorAll('details.table:not([open]), details.fold:not([open])').length`;
    const undrawn = `[...document.querySelectorAll('.plot')].filter((plot) => !plot.firstChild).length`;
    const before = await browser.evaluate(closed);
    check(before > 0, 'large tables are open');
    await browser.evaluate(`addEventListener('beforeprint', () => { window.closedOnPaper = ${closed} + ${undrawn}; })`);
    await browser.print('page.pdf');
    check(readFileSync('page.pdf').subarray(0, 5).toString() === '%PDF-' && statSync('page.pdf').size > 50000, 'no PDF');
    check(await browser.evaluate('window.closedOnPaper') === 0, 'tables or sections are closed on paper, or not drawn');
    check(await browser.evaluate(closed) === before, 'tables stay open after printing');
}

async function checkNarrow(browser, study) {
    await show(browser, wide, { width: 380, height: 800 });
    const width = await browser.evaluate('document.documentElement.scrollWidth');
    check(width <= 380, `it is ${width} wide on a screen of 380`);
    await checkFolds(browser, study);
    await checkFigures(browser, study);
}

/* ---- names that mean harm ---- */

async function checkNasty(browser) {
    const [study] = studiesOf(nasty);
    await show(browser, nasty);
    await checkFolds(browser, study);
    const seen = await checkFigures(browser, study);
    check(await browser.evaluate('document.title') === `${study.study} \u00b7 warpwalk`, 'the title is another');
    check(await browser.evaluate(`document.querySelector('h1').textContent`) === study.study, 'the heading is another');
    check(await browser.evaluate(`document.querySelector('.lead').textContent`) === study.doc, 'the doc is another');
    check(await browser.evaluate(`document.querySelectorAll('main img, main script, main b, main i, main sup, [onload], [onerror], [onmouseover]').length`) === 0, 'a text became an element');
    check(seen[0].texts.some((text) => text.startsWith('<img src=x')) && seen[0].texts.includes('__proto__'), `labels: ${seen[0].texts.join(', ')}`);
    check((await hover(browser, '.figure .published_marks > *')).includes('<i>nobody</i>'), 'the hover lacks the source');
}

const browser = await Browser.start();
try {
    const [study] = studiesOf(wide), bytes = statSync(`${wide}/index.html`).size;
    check(study.points.length >= 500, `only ${study.points.length} runs`);
    check(bytes < MOST_BYTES, `${bytes} bytes`);
    await show(browser, wide);
    const milliseconds = Number(await browser.evaluate('document.documentElement.dataset.renderMilliseconds'));
    console.log(`${study.points.length} runs: ${bytes} bytes, drawn after ${milliseconds} ms`);
    check(milliseconds > 0 && milliseconds < MOST_MILLISECONDS, 'too slow');
    await checkHeadlines(browser, study);
    await checkFolds(browser, study);
    const seen = await checkFigures(browser, study);
    checkTable(seen[0], study.figures[0]);
    checkAxes(seen, study);
    await checkHover(browser, study);
    await checkLegend(browser);
    await checkRuns(browser, study);
    await checkSections(browser, study);
    await checkColours(browser);
    await checkPaper(browser);
    await checkNarrow(browser, study);
    await checkNasty(browser);
    check(browser.complaints.length === 0, `complaints at the end: ${browser.complaints.join('; ')}`);
} finally {
    await browser.end();
}
process.exit(failures ? 1 : 0);
