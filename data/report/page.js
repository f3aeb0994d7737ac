/* The page: studies one after the other, then their plots. When all that is open is drawn, the document says how long it took. */

const studies = JSON.parse(document.getElementById('data').textContent);
const report = document.getElementById('report');

function failureNotice(study) {
    if (!study.failed) return null;
    return element('p', { class: 'notice' }, `${count(study.failed, 'run')} failed: figures that need them have gaps. `,
        element('a', { href: `#${failuresId(study)}` }, 'Why?'));
}

/* Headlines first, then what is in no section, then the sections in the order of their first figures. */
function inOrder(figures) {
    const sections = [...new Set(figures.map((figure) => figure.section))].filter((name) => name);
    const plain = figures.filter((figure) => !figure.section);
    return [...plain.filter((figure) => figure.headline), ...plain.filter((figure) => !figure.headline),
        ...sections.flatMap((name) => figures.filter((figure) => figure.section === name))];
}

/* A section is folded away; what is in it is drawn when it is opened. */
function makeFold(study, name, figures) {
    const cells = figures.flatMap(({ figure }) => publishedCells(figure));
    const fold = element('details', { class: 'fold', id: sectionId(study, name) },
        element('summary', {}, element('span', { class: 'title' }, name), ` ${count(figures.length, 'figure')}`, cells.length ? `; ${tally(cells)}` : null),
        ...figures.map((figure) => figure.element));
    fold.addEventListener('toggle', () => { if (fold.open) drawAll(figures.filter((figure) => !figure.drawn)); });
    return fold;
}

function showStudy(study) {
    study.figures = inOrder(study.figures);
    const made = study.figures.map((figure, index) => makeFigure(study, figure, index + 1));
    const of = (test) => made.filter(({ figure }) => test(figure)).map((figure) => figure.element);
    const folds = sectionsOf(study).map((name) => makeFold(study, name, made.filter(({ figure }) => figure.section === name)));
    const sections = [failures(study), settings(study), references(study), runs(study)].filter((one) => one);
    report.append(element('article', { class: 'study', id: slug(study.study) }, element('h1', {}, study.study),
        study.doc ? element('p', { class: 'lead' }, study.doc) : null, failureNotice(study), headlines(study),
        ...of((figure) => figure.headline), facts(study), made.length > 2 ? contents(study) : null,
        ...of((figure) => !figure.headline && !figure.section), ...folds, ...sections));
    return made;
}

function showAll() {
    if (studies.length > 1)
        report.append(element('nav', { class: 'studies', 'aria-label': 'Studies' },
            ...studies.flatMap((study, i) => [i ? ' · ' : null, element('a', { href: `#${slug(study.study)}` }, study.study)])));
    if (!studies.length) report.append(element('p', { class: 'empty' }, 'The database has no study.'));
    return studies.flatMap(showStudy);
}

function isOpen(figure) { return !figure.element.closest('details.fold:not([open])'); }

function drawNow(figure) {
    figure.drawn = true;
    if (figure.draw) figure.draw();
}

/* One after the other, with a pause between them, so that what is there can be read already. */
async function drawAll(figures) {
    for (const figure of figures) {
        drawNow(figure);
        await new Promise((resume) => setTimeout(resume));
    }
}

/* A link to a figure that is folded away opens its section. */
function prepareLinks() {
    const reveal = () => {
        const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
        const fold = target && target.closest('details.fold');
        if (!fold) return;
        fold.open = true;
        target.scrollIntoView();
    };
    addEventListener('hashchange', reveal);
    reveal();
}

/* ---- paper and width ---- */

/* On paper everything is open and drawn. */
function preparePrint(figures) {
    addEventListener('beforeprint', () => {
        for (const shut of document.querySelectorAll('details.table:not([open]), details.fold:not([open])')) {
            shut.open = true;
            shut.dataset.shut = '';
        }
        figures.filter((figure) => !figure.drawn).forEach(drawNow);
    });
    addEventListener('afterprint', () => {
        for (const table of document.querySelectorAll('details[data-shut]')) {
            table.open = false;
            delete table.dataset.shut;
        }
    });
}

function prepareWidth(figures) {
    let width = report.clientWidth, later;
    addEventListener('resize', () => {
        clearTimeout(later);
        later = setTimeout(() => {
            if (matchMedia('print').matches || Math.abs(report.clientWidth - width) < 24) return;
            width = report.clientWidth;
            for (const figure of figures) figure.drawn = isOpen(figure);
            drawAll(figures.filter(isOpen));
        }, 200);
    });
}

prepareTheme();
const figures = showAll();
preparePrint(figures);
prepareLinks();
drawAll(figures.filter((figure) => isOpen(figure) && !figure.drawn)).then(() => {
    prepareWidth(figures);
    root.dataset.renderMilliseconds = Math.round(performance.now());
});
