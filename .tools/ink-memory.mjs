// Ink composes every frame anew: it cleans, measures and reads every line of text, lays its characters into cells and writes the cells out as
// text, also for the lines that did not change, and that is most of what a frame costs. This gives three of its files a memory across frames,
// for the one case that a screen of whole lines is: what was cleaned, measured and read once is kept, and a row of the same pieces at the same places is the
// same text. Anything else goes the way it always went. It is written as changes to the files as published, the form in which they could be
// offered upstream; `test/tools/ink-memory.test.ts` holds the two against each other and fails when one of the files changed.

import { createHash } from 'node:crypto'

/** The published files that the changes are made for. */
const outputSha256 = '5e6c511c0a573f48cd5765d7f1f16583d2595f7b05775608382bdb990b63f225'

const memory = `
// What one frame learnt is good for the next: a text has one width and one reading. Bounded, and then begun anew.
const keptCaches = new OutputCaches();
const keptTextsMost = 8192;
// The rows of the last frame by the pieces they were made of.
let keptRows = new Map();
`

const compose = `
    // Rows made of single lines that lie beside each other, inside the output and inside every clip, are their pieces with spaces between.
    composeRows() {
        const rows = Array.from({ length: this.height }, () => []);
        const clips = [];
        for (const operation of this.operations) {
            if (operation.type === 'clip') {
                clips.push(intersectClips(clips.at(-1), operation.clip));
                continue;
            }
            if (operation.type === 'unclip') {
                clips.pop();
                continue;
            }
            const { x, y } = operation;
            let { text } = operation;
            if (text.includes('\\n') || !Number.isInteger(x) || x < 0 || rows[y] === undefined) {
                return undefined;
            }
            const width = this.caches.getStringWidth(text);
            const clip = clips.at(-1);
            if (x + width > this.width || (clip && ((clip.x1 ?? x) > x || (clip.x2 ?? x + width) < x + width || (clip.y1 ?? y) > y || (clip.y2 ?? y + 1) <= y))) {
                return undefined;
            }
            for (const transformer of operation.transformers) {
                text = transformer(this.caches.getClosed(text), 0);
            }
            const row = rows[y];
            const end = x + this.caches.getStringWidth(text);
            if (end > x + width || text.includes('\\n')) {
                return undefined;
            }
            const last = row.at(-1);
            if (last !== undefined && last.end > x) {
                return undefined;
            }
            row.push({ x, end, text });
        }
        return rows;
    }
    get() {
        if (keptCaches.styledChars.size > keptTextsMost || keptCaches.widths.size > keptTextsMost) {
            keptCaches.widths.clear();
            keptCaches.blockWidths.clear();
            keptCaches.styledChars.clear();
            keptCaches.closed.clear();
        }
        const rows = this.composeRows();
        if (rows === undefined) {
            return this.composeCells();
        }
        const nextRows = new Map();
        const lines = rows.map(row => {
            let key = '';
            for (const { x, text } of row) {
                key += x + ':' + text + '\\n';
            }
            let line = keptRows.get(key);
            if (line === undefined) {
                line = '';
                let column = 0;
                for (const { x, end, text } of row) {
                    line += ' '.repeat(x - column) + this.caches.getClosed(text);
                    column = end;
                }
                line = line.trimEnd();
            }
            nextRows.set(key, line);
            return line;
        });
        keptRows = nextRows;
        return { output: lines.join('\\n'), height: rows.length };
    }
`

const replaced = (text, from, to) => {
  const parts = text.split(from)
  if (parts.length !== 2) throw new Error(`Ink's output.js has "${from.trim().slice(0, 40)}" ${parts.length - 1} times`)
  return parts.join(to)
}

const checked = (published, name, sha256) => {
  const found = createHash('sha256').update(published).digest('hex')
  if (found !== sha256) throw new Error(`Ink's ${name} is not the file that the change was made for: ${found}`)
  return published
}

/** `output.js` with the memory in it. Throws when it is another file than the one the change was made for. */
export function outputWithMemory(published) {
  let text = checked(published, 'output.js', outputSha256)
  text = replaced(text, 'export default class Output {', `${memory}export default class Output {`)
  text = replaced(
    text,
    '    styledChars = new Map();\n',
    `    styledChars = new Map();
    closed = new Map();
    // The text as it is written between others: what it switches on is off again at its end.
    getClosed(text) {
        let cached = this.closed.get(text);
        if (cached === undefined) {
            cached = styledCharsToString(this.getStyledChars(text));
            this.closed.set(text, cached);
        }
        return cached;
    }
`,
  )
  text = replaced(text, '    caches = new OutputCaches();\n', '    caches = keptCaches;\n')
  return replaced(text, '    get() {\n', `${compose.slice(1)}    composeCells() {\n`)
}

const sanitizeSha256 = 'd1f9783713dc610e01188ae37e339ce151abb922c4ea4e119deb55f90c50659e'

/** `sanitize-ansi.js`, which cleans a text it has cleaned before without reading it again. */
export function sanitizeWithMemory(published) {
  const text = checked(published, 'sanitize-ansi.js', sanitizeSha256)
  return `import QuickLRU from 'quick-lru';
${replaced(
  text,
  'export default sanitizeAnsi;',
  `const sanitized = new QuickLRU({ maxSize: 4096 });
const sanitizeOnce = (text) => {
    let output = sanitized.get(text);
    if (output === undefined) {
        output = sanitizeAnsi(text);
        sanitized.set(text, output);
    }
    return output;
};
export default sanitizeOnce;`,
)}`
}

const renderSha256 = 'de6aebe3d2224648cf2ec899f8897cb6436f76b49d986644a06e53b234d9cb0c'

/** `render-node-to-output.js`, which asks the measurement that layout made instead of measuring again. */
export function renderWithMemory(published) {
  const text = checked(published, 'render-node-to-output.js', renderSha256)
  return replaced(
    replaced(text, "import widestLine from 'widest-line';", "import measureText from './measure-text.js';"),
    'widestLine(text)',
    'measureText(text).width',
  )
}

const changes = [
  [/[\\/]ink[\\/]build[\\/]output\.js$/, outputWithMemory],
  [/[\\/]ink[\\/]build[\\/]sanitize-ansi\.js$/, sanitizeWithMemory],
  [/[\\/]ink[\\/]build[\\/]render-node-to-output\.js$/, renderWithMemory],
]

/** Gives the bundle Ink with the changes. */
export const inkMemoryPlugin = {
  name: 'ink-memory',
  transform(code, id) {
    const change = changes.find(([path]) => path.test(id))
    return change === undefined ? null : { code: change[1](code), map: null }
  },
}
