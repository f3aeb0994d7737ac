/* series.mjs FOLDER: of `report --html`, with the figures `times` and `watts` of tests/browser/series.sh in a section. */
import { Browser } from '../support/browser.mjs';

const [folder] = process.argv.slice(2);
let failures = 0;

function check(holds, what) {
    if (holds) return;
    console.log(`FAILED: ${what}`);
    failures++;
}

const look = (name) => `(() => {
    const figure = [...document.querySelectorAll('.figure')].find((one) => one.id.endsWith('.${name}')), svg = figure.querySelector('.plot svg');
    const box = svg.getBoundingClientRect();
    const inside = (text) => { const t = text.getBoundingClientRect(); return t.left >= box.left - 1 && t.right <= box.right + 1; };
    const lines = [...svg.querySelectorAll('.mark-line path')];
    return {
        widths: lines.map((line) => Math.round(line.getBBox().width)), opacities: lines.map((line) => line.getAttribute('opacity')),
        colours: [...new Set(lines.map((line) => line.getAttribute('stroke')))],
        texts: [...svg.querySelectorAll('text')].map((text) => text.textContent),
        clipped: [...svg.querySelectorAll('text')].filter((text) => text.textContent && !inside(text)).map((text) => text.textContent),
        legend: [...figure.querySelectorAll('.legend > *')].map((entry) => entry.textContent),
        rows: [...figure.querySelectorAll('tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent)),
        room: figure.clientWidth, width: box.width,
    };
})()`;

const browser = await Browser.start();
try {
    for (const width of [1280, 500]) {
        await browser.open(`file://${folder}/index.html`, { width, height: 900 });
        await browser.until('document.documentElement.dataset.renderMilliseconds');
        await browser.evaluate(`document.querySelectorAll('details.fold').forEach((fold) => { fold.open = true; })`);
        await browser.until(`document.querySelectorAll('.fold .plot svg').length >= 2`);
        const seen = await browser.evaluate(look('times'));
        check(browser.complaints.length === 0, `complaints: ${browser.complaints.join('; ')}`);
        check(seen.widths.length === 12, `${seen.widths.length} lines, not two programs, two variants and three series`);
        check(seen.widths.every((one) => one > 5) && Math.max(...seen.widths) > 150, `lines as wide as ${seen.widths.join()}`);
        check(seen.colours.length === 2, `colours ${seen.colours.join()}`);
        for (const text of ['backprop', 'pathfinder', 'milliseconds', 'link_in: part of the time in which data passes to the GPU', 'resident: pages on the GPU'])
            check(seen.texts.includes(text), `no text "${text}" in ${seen.texts.join(' | ')}`);
        check(seen.clipped.length === 0, `clipped: ${seen.clipped.join(', ')}`);
        check(seen.legend.join() === 'resident,copy,demand', `legend ${seen.legend.join()}`);
        check(seen.rows.length === 6 && seen.rows[0][0] === 'backprop, resident', `the table has ${seen.rows.length} rows`);
        check(seen.width <= seen.room + 20, `${seen.width} wide, where ${seen.room} are`);
        const watts = await browser.evaluate(look('watts'));
        check(watts.widths.length === 12, `${watts.widths.length} lines of power, not two programs, three variants and two series`);
        for (const text of ['power: power, an estimate: the sum of its parts', 'power_dram: of it, DRAM'])
            check(watts.texts.includes(text), `no text "${text}" in ${watts.texts.join(' | ')}`);
    }
    await browser.evaluate(`[...document.querySelectorAll('.fold .legend button')][2].click()`);
    const faded = (await browser.evaluate(look('times'))).opacities.filter((opacity) => opacity !== null && opacity < 1);
    check(faded.length === 6, `a click on a name lets ${faded.length} lines fade, not 6`);
} finally {
    await browser.end();
}
process.exit(failures ? 1 : 0);
