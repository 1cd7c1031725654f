// Tests draw the whole screen through Ink at every beat of their clock, where the program draws most of it past Ink.
// Ink reads and measures every text of a frame anew, and that was a third of all that journeys take. For tests it is
// given a memory from frame to frame: what a text was read as, what is left of it without what a terminal must not get,
// and how wide it is stay so, whichever frame it is in.
// And a frame is drawn when a test looks at it: most give way to the next one unseen, as they do in a terminal.
// `test/tools/ink-memory.test.tsx` holds what is drawn with it against Ink as published, and fails when a file changed.

/** Texts that are kept of each kind; then the memory begins anew. */
const textsMax = 20_000

/** Replaces what is there exactly once. */
function replaced(code, published, by) {
  if (code.split(published).length !== 2) throw new Error(`Ink's files are not as published: ${published}`)
  return code.replace(published, () => by)
}

/** What a frame made of its texts, kept for the next ones. */
const keptCaches = `
class KeptMap extends Map {
    set(key, value) {
        if (this.size >= ${textsMax}) {
            this.clear();
        }
        return super.set(key, value);
    }
}
const keptCaches = new OutputCaches();
// A cell is never written to, only replaced: all that are blank are the same.
const emptyCell = { type: 'char', value: ' ', fullWidth: false, styles: [] };
export default class Output {`

const readLines = `const characterLines = [[]];
        for (const character of this.caches.getStyledChars(text)) {
            if (character.value === '\\n') {
                characterLines.push([]);
            }
            else {
                characterLines.at(-1).push(character);
            }
        }
        let lines = characterLines.map(line => styledCharsToString(line));`

const keptLines = `let lines = this.caches.lines.get(text);
        if (lines === undefined) {
            ${readLines.replace('let lines', 'lines')}
            this.caches.lines.set(text, lines);
        }`

const slice = '    sliceLineToColumns(line, from, to) {'

const keptSlice = `    sliceLineToColumns(line, from, to) {
        const key = from + ' ' + to + ' ' + line;
        let cached = this.caches.slices.get(key);
        if (cached === undefined) {
            cached = this.slicedLine(line, from, to);
            this.caches.slices.set(key, cached);
        }
        return cached;
    }
    slicedLine(line, from, to) {`

const newCell = `row.push({
                    type: 'char',
                    value: ' ',
                    fullWidth: false,
                    styles: [],
                });`

/** Ink's `output.js` with one set of caches for all frames. */
export function outputWithMemory(code) {
  const changes = [
    ['    widths = new Map();', '    widths = new KeptMap();\n    lines = new KeptMap();\n    slices = new KeptMap();'],
    ['    blockWidths = new Map();', '    blockWidths = new KeptMap();'],
    ['    styledChars = new Map();', '    styledChars = new KeptMap();'],
    ['export default class Output {', keptCaches],
    ['    caches = new OutputCaches();', '    caches = keptCaches;'],
    [readLines, keptLines],
    [slice, keptSlice],
    [newCell, 'row.push(emptyCell);'],
  ]
  return changes.reduce((text, [published, by]) => replaced(text, published, by), code)
}

const measures = 'export default function stringWidth(input, options = {}) {'

/** Code that gives what was made of a text before, from the map `kept`, or what `make` makes of it. */
const remembered = (kept, text, make) => `let known = ${kept}.get(${text});
    if (known === undefined) {
        known = ${make}(${text});
        if (${kept}.size >= ${textsMax}) {
            ${kept}.clear();
        }
        ${kept}.set(${text}, known);
    }
    return known;`

/** string-width with a memory for what is asked of it without options. */
export function widthsWithMemory(code) {
  return replaced(
    code,
    measures,
    `const keptWidths = new Map();
export default function stringWidth(input, options) {
    if (typeof input !== 'string' || options !== undefined) {
        return measuredWidth(input, options);
    }
    ${remembered('keptWidths', 'input', 'measuredWidth')}
}
function measuredWidth(input, options = {}) {`,
  )
}

const sanitizes = 'const sanitizeAnsi = (text) => {'

/** Ink's `sanitize-ansi.js` with a memory: every text of a frame is asked of it at least twice. */
export function sanitizingWithMemory(code) {
  return replaced(
    code,
    sanitizes,
    `const keptSanitized = new Map();
const sanitizeAnsi = (text) => {
    ${remembered('keptSanitized', 'text', 'sanitizedAnsi')}
};
const sanitizedAnsi = (text) => {`,
  )
}

const drawn = `const startTime = performance.now();
        const { output, outputHeight, staticOutput } = render(this.rootNode, this.isScreenReaderEnabled);
        const renderTime = performance.now() - startTime;
        this.renderFrame(output, outputHeight, staticOutput);
        this.options.onRender?.({ renderTime });`

/**
 * Ink's `ink.js` that hands the drawing of a frame to a stdout that draws later. Lines that are written once and stay,
 * and the last frame before the tree goes, are drawn at once.
 */
export function drawingWhenSeen(code) {
  return replaced(
    code,
    drawn,
    `const draw = () => {
            ${drawn}
        };
        const { stdout } = this.options;
        if (stdout.drawLater === undefined || this.isUnmounting || this.rootNode.staticNode) {
            draw();
        }
        else {
            stdout.drawLater(draw);
        }`,
  )
}

const kept = `    frames = [];
    _lastFrame;
    write = (frame) => {
        this.frames.push(frame);
        this._lastFrame = frame;
    };
    lastFrame = () => this._lastFrame;
}
class Stderr`

/** ink-testing-library whose `lastFrame` draws it, and whose `frames` are those that were drawn. */
export function framesWhenSeen(code) {
  return replaced(
    code,
    kept,
    `    frames = [];
    _lastFrame;
    _draw;
    drawLater = (draw) => {
        this._draw = draw;
    };
    write = (frame) => {
        this._draw = undefined;
        this.frames.push(frame);
        this._lastFrame = frame;
    };
    lastFrame = () => {
        this._draw?.();
        return this._lastFrame;
    };
}
class Stderr`,
  )
}

export const inkMemoryPlugin = {
  name: 'ink-memory',
  transform(code, id) {
    if (id.endsWith('/ink/build/output.js')) return { code: outputWithMemory(code), map: null }
    if (id.endsWith('/ink/build/ink.js')) return { code: drawingWhenSeen(code), map: null }
    if (id.endsWith('/ink-testing-library/build/index.js')) return { code: framesWhenSeen(code), map: null }
    if (id.endsWith('/ink/build/sanitize-ansi.js')) return { code: sanitizingWithMemory(code), map: null }
    if (id.endsWith('/string-width/index.js')) return { code: widthsWithMemory(code), map: null }
    return undefined
  },
}
