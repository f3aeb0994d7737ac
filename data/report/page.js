/* The page: studies one after the other, then their plots. When all is drawn, the document says how long it took. */

const studies = JSON.parse(document.getElementById('data').textContent);
const root = document.documentElement, report = document.getElementById('report');

function failureNotice(study) {
    if (!study.failed) return null;
    return element('p', { class: 'notice' }, `${count(study.failed, 'run')} failed: figures that need them have gaps. `,
        element('a', { href: `#${failuresId(study)}` }, 'Why?'));
}

function showStudy(study, drawings) {
    const figures = study.figures.map((figure, index) => makeFigure(study, figure, index + 1));
    const sections = [failures(study), settings(study), references(study), runs(study)].filter((one) => one);
    report.append(element('article', { class: 'study', id: slug(study.study) }, element('h1', {}, study.study),
        study.doc ? element('p', { class: 'lead' }, study.doc) : null, facts(study), failureNotice(study),
        figures.length > 2 ? contents(study) : null, ...figures.map((figure) => figure.element), ...sections));
    drawings.push(...figures.map((figure) => figure.draw).filter((draw) => draw));
}

function showAll() {
    const drawings = [];
    if (studies.length > 1)
        report.append(element('nav', { class: 'studies', 'aria-label': 'Studies' },
            ...studies.flatMap((study, i) => [i ? ' · ' : null, element('a', { href: `#${slug(study.study)}` }, study.study)])));
    if (!studies.length) report.append(element('p', { class: 'empty' }, 'The database has no study.'));
    for (const study of studies) showStudy(study, drawings);
    return drawings;
}

/* One after the other, with a pause between them, so that what is there can be read already. */
async function drawAll(drawings) {
    for (const draw of drawings) {
        draw();
        await new Promise((resume) => setTimeout(resume));
    }
}

/* ---- light and dark ---- */

function isDark() {
    return root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

function prepareTheme() {
    const button = document.getElementById('theme');
    const name = () => { button.textContent = isDark() ? 'Light' : 'Dark'; button.setAttribute('aria-label', `Show the page ${isDark() ? 'light' : 'dark'}`); };
    button.addEventListener('click', () => { root.dataset.theme = isDark() ? 'light' : 'dark'; name(); });
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', name);
    button.hidden = false;
    name();
}

/* ---- paper and width ---- */

function preparePrint() {
    addEventListener('beforeprint', () => {
        for (const table of document.querySelectorAll('details.table:not([open])')) {
            table.open = true;
            table.dataset.shut = '';
        }
    });
    addEventListener('afterprint', () => {
        for (const table of document.querySelectorAll('details[data-shut]')) {
            table.open = false;
            delete table.dataset.shut;
        }
    });
}

function prepareWidth(drawings) {
    let width = report.clientWidth, later;
    addEventListener('resize', () => {
        clearTimeout(later);
        later = setTimeout(() => {
            if (matchMedia('print').matches || Math.abs(report.clientWidth - width) < 24) return;
            width = report.clientWidth;
            drawAll(drawings);
        }, 200);
    });
}

prepareTheme();
preparePrint();
const drawings = showAll();
drawAll(drawings).then(() => {
    prepareWidth(drawings);
    root.dataset.renderMilliseconds = Math.round(performance.now());
});
