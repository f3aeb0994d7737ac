/* Drives headless Chromium over a pipe (its DevTools protocol), with nothing but Node.
 *
 *   const browser = await Browser.start();      a fresh profile in a folder that is removed at the end
 *   await browser.open(url, {width, height, media: {'prefers-color-scheme': 'dark'}});
 *   await browser.evaluate('document.title');   the value of an expression, promises awaited
 *   browser.requests, browser.complaints        addresses asked for; errors of the page and of its console
 *   await browser.screenshot(file), browser.print(file), browser.end(); */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ARGUMENTS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage', '--hide-scrollbars', '--remote-debugging-pipe'];
const PATIENCE = 60000; /* milliseconds until a browser that does not answer is given up */

export class Browser {
    static async start(program = process.env.CHROMIUM || 'chromium') {
        const browser = new Browser();
        browser.folder = mkdtempSync(join(tmpdir(), 'warpwalk-browser-'));
        browser.process = spawn(program, [...ARGUMENTS, `--user-data-dir=${browser.folder}`, 'about:blank'],
            { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
        browser.waiting = new Map();
        browser.number = 0;
        browser.listen();
        const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank' });
        browser.session = (await browser.send('Target.attachToTarget', { targetId, flatten: true })).sessionId;
        for (const part of ['Page', 'Runtime', 'Log', 'Network']) await browser.send(`${part}.enable`);
        return browser;
    }

    listen() {
        let rest = '';
        this.process.stdio[4].setEncoding('utf8');
        this.process.stdio[4].on('data', (text) => {
            const messages = (rest + text).split('\0');
            rest = messages.pop();
            for (const message of messages) this.receive(JSON.parse(message));
        });
        this.process.on('exit', () => { for (const { fail } of this.waiting.values()) fail(new Error('the browser ended')); });
        this.process.on('error', (error) => { for (const { fail } of this.waiting.values()) fail(error); });
    }

    receive({ id, result, error, method, params }) {
        if (id) {
            const { done, fail } = this.waiting.get(id);
            this.waiting.delete(id);
            if (error) fail(new Error(error.message));
            else done(result);
        } else if (method === 'Page.loadEventFired') this.loaded?.();
        else if (method === 'Network.requestWillBeSent') this.requests.push(params.request.url);
        else if (method === 'Runtime.exceptionThrown') this.complaints.push(params.exceptionDetails.exception?.description || params.exceptionDetails.text);
        else if (method === 'Log.entryAdded' && params.entry.level === 'error') this.complaints.push(params.entry.text);
        else if (method === 'Runtime.consoleAPICalled') this.complaints.push(`console.${params.type}: ${params.args.map((a) => a.value).join(' ')}`);
    }

    send(method, params = {}) {
        const id = ++this.number;
        this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId: this.session })}\0`);
        return new Promise((done, fail) => {
            const patience = setTimeout(() => fail(new Error(`no answer to ${method}`)), PATIENCE);
            const end = (then) => (value) => { clearTimeout(patience); then(value); };
            this.waiting.set(id, { done: end(done), fail: end(fail) });
        });
    }

    async media(features = {}, media = '') {
        await this.send('Emulation.setEmulatedMedia', { media, features: Object.entries(features).map(([name, value]) => ({ name, value })) });
    }

    async open(url, { width = 1280, height = 900, media = {} } = {}) {
        this.requests = [];
        this.complaints = [];
        await this.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
        await this.media(media);
        const loaded = new Promise((done) => { this.loaded = done; });
        await this.send('Page.navigate', { url });
        await loaded;
    }

    /* Until an expression is true. */
    async until(expression) {
        for (const start = Date.now(); Date.now() - start < PATIENCE;) {
            if (await this.evaluate(expression)) return;
            await new Promise((resume) => setTimeout(resume, 20));
        }
        throw new Error(`never true: ${expression}; ${this.complaints.join('; ')}`);
    }

    async evaluate(expression) {
        const { result, exceptionDetails } = await this.send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
        if (exceptionDetails) throw new Error(exceptionDetails.exception?.description || exceptionDetails.text);
        return result.value;
    }

    async move(x, y) { await this.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y }); }

    async screenshot(file, clip) {
        const { data } = await this.send('Page.captureScreenshot', { format: 'png', captureBeyondViewport: !!clip, clip: clip && { scale: 1, ...clip } });
        writeFileSync(file, Buffer.from(data, 'base64'));
    }

    async print(file) {
        const { data } = await this.send('Page.printToPDF', { paperWidth: 8.27, paperHeight: 11.69, preferCSSPageSize: false, printBackground: true });
        writeFileSync(file, Buffer.from(data, 'base64'));
    }

    async end() {
        const ended = new Promise((done) => this.process.once('exit', done));
        await this.send('Browser.close').catch(() => this.process.kill('SIGKILL'));
        await ended;
        rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
    }
}
