/* pages.mjs DEMAND COPY RESIDENT: three pages of `run --pages`, of the same program. */
import { readFileSync, statSync } from 'node:fs';
import { Browser } from '../support/browser.mjs';

const MOST_BYTES = 1.6e6; /* of which most is the plotting library */
let failures = 0;

function check(holds, what) {
    if (holds) return;
    console.log(`FAILED: ${what}`);
    failures++;
}

const LOOK = `({
    marks: Object.fromEntries(['touched', 'prefetched', 'demanded', 'evicted'].map((name) => [name, document.querySelectorAll('[class*="' + name + '_marks"] > *').length])),
    texts: [...document.querySelectorAll('.plot svg text')].map((text) => text.textContent),
    wide: document.documentElement.scrollWidth <= innerWidth,
})`;

const browser = await Browser.start();
for (const file of process.argv.slice(2)) {
    const data = JSON.parse(/<script type="application\/json" id="data">([^<]*)<\/script>/.exec(readFileSync(file, 'utf8'))[1]);
    check(statSync(file).size < MOST_BYTES, `${file} has ${statSync(file).size} bytes`);
    for (const [scheme, width] of [['light', 1280], ['dark', 1280], ['light', 480]]) {
        await browser.open(`file://${file}`, { width, media: { 'prefers-color-scheme': scheme } });
        await browser.until('document.documentElement.dataset.renderMilliseconds');
        check(browser.complaints.length === 0, `complaints: ${browser.complaints.join('; ')}`);
        check(browser.requests.every((url) => url === `file://${file}` || url.startsWith('data:')), `it asks for ${browser.requests.join(', ')}`);
        const seen = await browser.evaluate(LOOK);
        for (const [name, marks] of Object.entries(seen.marks))
            check((marks > 0) === data.cells[name].some((n) => n), `${data.mode}: ${marks} marks of ${name}`);
        check(seen.texts.includes('time (µs)'), `${data.mode}: no axis of time`);
        check(seen.texts.includes('PCIe use') === (data.mode !== 'resident'), `${data.mode}: use of PCIe`);
        check(seen.texts.some((text) => data.buffers.some(({ name }) => name === text)), `${data.mode}: no name of a buffer`);
        check(seen.wide, `${data.mode}: wider than the window of ${width}`);
    }
}
await browser.end();
process.exit(failures ? 1 : 0);
