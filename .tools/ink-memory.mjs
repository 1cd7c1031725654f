// Tests draw the whole screen through Ink at every beat of their clock, where the program draws most of it past Ink.
// Ink reads and measures every text of a frame anew, and that was a third of all that journeys take. For tests it is
// given a memory from frame to frame: what a text was read as and how wide it is stays so, whichever frame it is in.
// `test/tools/ink-memory.test.ts` holds what is drawn with it against Ink as published, and fails when a file changed.

/** Texts that are kept of each kind; then the memory begins anew. */
const textsMost = 20_000

/** Replaces what is there exactly once. */
function replaced(code, published, by) {
  if (code.split(published).length !== 2) throw new Error(`Ink's files are not as published: ${published}`)
  return code.replace(published, () => by)
}

/** What a frame made of its texts, kept for the next ones. */
const keptCaches = `
class KeptMap extends Map {
    set(key, value) {
        if (this.size >= ${textsMost}) {
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

	let width = keptWidths.get(input);
	if (width === undefined) {
		width = measuredWidth(input);
		if (keptWidths.size >= ${textsMost}) {
			keptWidths.clear();
		}

		keptWidths.set(input, width);
	}

	return width;
}

function measuredWidth(input, options = {}) {`,
  )
}

export const inkMemoryPlugin = {
  name: 'ink-memory',
  transform(code, id) {
    if (id.endsWith('/ink/build/output.js')) return { code: outputWithMemory(code), map: null }
    if (id.endsWith('/string-width/index.js')) return { code: widthsWithMemory(code), map: null }
    return undefined
  },
}
