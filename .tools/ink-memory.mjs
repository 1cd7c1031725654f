// Ink composes every frame anew: it cleans, measures and reads every line of text, lays its characters into cells and
// writes the cells out as text, also for the lines that did not change, and that is most of what a frame costs. This
// gives four of its files a memory across frames, for the one case that a screen of whole lines is: what was cleaned,
// measured and read once is kept, a row of the same pieces at the same places is the same text, and a plain line (see
// `plain-line.mjs`) is taken as it is. Anything else goes the way it always went. It is written as changes to the files
// as published, the form in which they could be offered upstream; `test/tools/ink-memory.test.ts` holds the two against
// each other and fails when one of the files changed.

import { createHash } from 'node:crypto'

const plainLineImport = `import { isPlainLine } from ${JSON.stringify(new URL('plain-line.mjs', import.meta.url).href)};\n`

/** The published files that the changes are made for. */
const outputSha256 = '5e6c511c0a573f48cd5765d7f1f16583d2595f7b05775608382bdb990b63f225'

const memory = `
// What one frame learnt is good for the next: a text has one width and one reading. Bounded, and then begun anew.
const keptCaches = new OutputCaches();
const keptTextsMost = 8192;
// A reading is an object for each of a line's characters, some fifty times the text: of these only what a few frames
// hold.
const keptReadingsMost = 768;
// The rows of the last frame, each with the pieces it was made of, and the frame.
let keptRows = [];
let keptOutput = '';
const isSameRow = (left, right) => left.length === right.length && left.every((piece, at) => piece.x === right[at].x && piece.text === right[at].text);
`

const compose = `
    // Rows made of single lines inside the output and inside every clip are their pieces with spaces between.
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
                const closed = this.caches.getClosed(text);
                text = transformer(closed, 0) === closed ? closed : transformer(this.caches.getRewritten(text), 0);
            }
            const row = rows[y];
            const end = x + this.caches.getStringWidth(text);
            if (end > x + width || text.includes('\\n')) {
                return undefined;
            }
            row.push({ x, end, text });
        }
        return rows;
    }
    composeRow(pieces) {
        if (pieces.some(({ x }, at) => at > 0 && pieces[at - 1].end > x)) {
            // One lies over another: cell by cell, for this row alone.
            const cells = Array.from({ length: this.width }, () => ({ type: 'char', value: ' ', fullWidth: false, styles: [] }));
            for (const { x, text } of pieces) {
                this.applyWriteOperation([cells], { x, y: 0, text, transformers: [] });
            }
            return styledCharsToString(cells.filter(item => item !== undefined)).trimEnd();
        }
        let line = '';
        let column = 0;
        for (const { x, end, text } of pieces) {
            line += ' '.repeat(x - column) + this.caches.getClosed(text);
            column = end;
        }
        return line.trimEnd();
    }
    get() {
        if (keptCaches.styledChars.size > keptReadingsMost) {
            keptCaches.styledChars.clear();
        }
        if (keptCaches.widths.size > keptTextsMost) {
            keptCaches.widths.clear();
            keptCaches.blockWidths.clear();
            keptCaches.closed.clear();
        }
        const rows = this.composeRows();
        if (rows === undefined) {
            return this.composeCells();
        }
        let isSame = rows.length === keptRows.length;
        const nextRows = rows.map((pieces, y) => {
            const kept = keptRows[y];
            if (kept !== undefined && isSameRow(kept.pieces, pieces)) {
                return kept;
            }
            isSame = false;
            return { pieces, line: this.composeRow(pieces) };
        });
        if (!isSame) {
            keptRows = nextRows;
            keptOutput = nextRows.map(row => row.line).join('\\n');
        }
        return { output: keptOutput, height: rows.length };
    }
`

const replaced = (text, from, to) => {
  const parts = text.split(from)
  if (parts.length !== 2) throw new Error(`Ink's file has "${from.trim().slice(0, 40)}" ${parts.length - 1} times`)
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
    getRewritten(text) {
        return styledCharsToString(this.getStyledChars(text));
    }
    // The text as it is written between others: what it switches on is off again at its end.
    getClosed(text) {
        let cached = this.closed.get(text);
        if (cached === undefined) {
            cached = isPlainLine(text) ? text : this.getRewritten(text);
            this.closed.set(text, cached);
        }
        return cached;
    }
`,
  )
  text = replaced(text, '    caches = new OutputCaches();\n', '    caches = keptCaches;\n')
  return plainLineImport + replaced(text, '    get() {\n', `${compose.slice(1)}    composeCells() {\n`)
}

const squashSha256 = 'a66185343ca591a7618b5300289a910753c2c8d0299c0e8b5945240263ed69c6'

/** `squash-text-nodes.js`, which does not clean a text again that is what it was, nor one that is plain. */
export function squashWithMemory(published) {
  const text = checked(published, 'squash-text-nodes.js', squashSha256)
  return `${plainLineImport}${replaced(
    text,
    'export default squashTextNodes;',
    `const squashOnce = (node) => {
    const only = node.childNodes.length === 1 ? node.childNodes[0] : undefined;
    if (only?.nodeName !== '#text') {
        return squashTextNodes(node);
    }
    const value = only.nodeValue;
    if (node.internal_squashed?.value !== value) {
        node.internal_squashed = { value, text: isPlainLine(value) ? value : squashTextNodes(node) };
    }
    return node.internal_squashed.text;
};
export default squashOnce;`,
  )}`
}

const renderSha256 = 'de6aebe3d2224648cf2ec899f8897cb6436f76b49d986644a06e53b234d9cb0c'

const layout = `
// Each question to Yoga is a call into WebAssembly: where a node lies is asked again only after something was laid out.
// Yoga then lays out the root, and with it every child of the root; what is clean it only looks up, and leaves the
// children alone.
let layoutCount = 0;
const countLayouts = (root) => {
    for (const { yogaNode } of root.childNodes) {
        if (yogaNode?.hasNewLayout()) {
            yogaNode.markLayoutSeen();
            layoutCount += 1;
        }
    }
};
const layoutOf = (node) => {
    const { yogaNode } = node;
    if (node.internal_layout?.count !== layoutCount) {
        node.internal_layout = {
            count: layoutCount,
            isHidden: yogaNode.getDisplay() === Yoga.DISPLAY_NONE,
            left: yogaNode.getComputedLeft(),
            top: yogaNode.getComputedTop(),
            maxWidth: getMaxWidth(yogaNode),
        };
    }
    return node.internal_layout;
};
`

/**
 * `render-node-to-output.js`, which asks the measurement that layout made instead of measuring again, and where a node
 * lies once for each layout.
 */
export function renderWithMemory(published) {
  let text = checked(published, 'render-node-to-output.js', renderSha256)
  const start = '// After nodes are laid out, render each to output object'
  text = replaced(text, start, `${layout.slice(1)}${start}`)
  const steps = [
    ["import widestLine from 'widest-line';", "import measureText from './measure-text.js';"],
    ['widestLine(text)', 'measureText(text).width'],
    [
      `    if (!yogaNode || yogaNode.getDisplay() === Yoga.DISPLAY_NONE) {
        return;
    }
    // Left and top`,
      `    if (!yogaNode) {
        return;
    }
    if (node.nodeName === 'ink-root') {
        countLayouts(node);
    }
    const layout = layoutOf(node);
    if (layout.isHidden) {
        return;
    }
    // Left and top`,
    ],
    ['offsetX + yogaNode.getComputedLeft();', 'offsetX + layout.left;'],
    ['offsetY + yogaNode.getComputedTop();', 'offsetY + layout.top;'],
    ['const maxWidth = getMaxWidth(yogaNode);', 'const maxWidth = layout.maxWidth;'],
  ]
  return steps.reduce((changed, [from, to]) => replaced(changed, from, to), text)
}

const domSha256 = '01694f6ec044c811ee13743c2bff8d22079c79e7b08982780d31916d7e3088a7'

const textValue = `
// A plain line that is cut where it is too wide, and as wide as the one before, takes the same place: nothing is laid
// out for it. (Where nodes are squeezed to fractions of a cell Yoga rounds by what it rounded before, and laying out
// again may move them; a screen of whole cells has none.)
const takesSamePlace = (node, text, before) => {
    const { parentNode } = node;
    return parentNode?.nodeName === 'ink-text' && parentNode.childNodes.length === 1 && parentNode.style.textWrap?.startsWith('truncate') === true &&
        text !== '' && before !== '' && isPlainLine(text) && isPlainLine(before) && measureText(text).width === measureText(before).width;
};
`

/** `dom.js`, in which a text that takes the place of one as wide changes no layout. */
export function domWithMemory(published) {
  const text = checked(published, 'dom.js', domSha256)
  const start = 'export const setTextNodeValue ='
  const marked = `    node.nodeValue = text;
    markNodeAsDirty(node);
};
export const addLayoutListener`
  const kept = `    const before = node.nodeValue;
    node.nodeValue = text;
    if (!takesSamePlace(node, text, before)) {
        markNodeAsDirty(node);
    }
};
export const addLayoutListener`
  return plainLineImport + replaced(replaced(text, start, `${textValue.slice(1)}${start}`), marked, kept)
}

const changes = [
  [/[\\/]ink[\\/]build[\\/]dom\.js$/, domWithMemory],
  [/[\\/]ink[\\/]build[\\/]output\.js$/, outputWithMemory],
  [/[\\/]ink[\\/]build[\\/]squash-text-nodes\.js$/, squashWithMemory],
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
