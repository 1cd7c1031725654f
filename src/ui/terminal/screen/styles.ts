/** A cell style by number; 0 is the terminal's plain style, in which others write. */
export type StyleId = number

/**
 * A cell's style as a terminal keeps it: attributes as bits, colors as the SGR parameters that set them, and the
 * address that a click opens (OSC 8), empty for none.
 */
type Style = { readonly attributes: number; readonly ink: string; readonly ground: string; readonly link: string }

/** The sequence that makes the following text a link; an empty address ends the link. */
export const linkTo = (address: string): string => `\u001b]8;;${address}\u001b\\`

/** Attributes with the SGR parameters that set and reset each; bold and dim share a reset. */
const attributeCodes = [
  { on: '1', off: '22' },
  { on: '2', off: '22' },
  { on: '3', off: '23' },
  { on: '4', off: '24' },
  { on: '5', off: '25' },
  { on: '7', off: '27' },
  { on: '8', off: '28' },
  { on: '9', off: '29' },
  { on: '53', off: '55' },
] as const

const bitsOn = new Map<string, number>(attributeCodes.map(({ on }, index) => [on, 1 << index]))
const bitsOff = new Map<string, number>()
attributeCodes.forEach(({ off }, index) => {
  bitsOff.set(off, (bitsOff.get(off) ?? 0) | (1 << index))
})

const plain: Style = { attributes: 0, ink: '', ground: '', link: '' }

/** The codes of a color by number (`38;5;n`) or of its parts (`38;2;r;g;b`); the first one alone for neither. */
function extendedColor(codes: readonly string[], at: number): readonly string[] {
  const length = codes[at + 1] === '5' ? 3 : codes[at + 1] === '2' ? 5 : 1
  return codes.slice(at, at + length)
}

/** The style after SGR parameters, per ECMA-48 and xterm; unknown parameters are ignored. Resets go back to `base`. */
function applied(style: Style, parameters: string, base: Style = plain): Style {
  let { attributes, ink, ground } = style
  const codes = parameters.split(/[;:]/)
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? ''
    const number = code === '' ? 0 : Number.parseInt(code, 10)
    if (number === 0) ({ attributes, ink, ground } = base)
    else if (bitsOn.has(code)) attributes |= bitsOn.get(code) ?? 0
    else if (bitsOff.has(code)) attributes &= ~(bitsOff.get(code) ?? 0)
    else if ((number >= 30 && number <= 37) || (number >= 90 && number <= 97)) ink = code
    else if ((number >= 40 && number <= 47) || (number >= 100 && number <= 107)) ground = code
    else if (number === 39) ink = base.ink
    else if (number === 49) ground = base.ground
    else if (number === 38 || number === 48 || number === 58) {
      const color = extendedColor(codes, at)
      at += color.length - 1
      if (color.length > 1 && number === 38) ink = color.join(';')
      if (color.length > 1 && number === 48) ground = color.join(';')
    }
  }
  return { attributes, ink, ground, link: style.link }
}

/** The shortest sequence that switches a terminal from `from` to `to`. */
function change(from: Style, to: Style): string {
  return (from.link === to.link ? '' : linkTo(to.link)) + changeOfLooks(from, to)
}

function changeOfLooks(from: Style, to: Style): string {
  if (from.attributes === to.attributes && from.ink === to.ink && from.ground === to.ground) return ''
  const whole: string[] = attributeCodes.flatMap(({ on }, index) => ((to.attributes & (1 << index)) === 0 ? [] : [on]))
  if (to.ink !== '') whole.push(to.ink)
  if (to.ground !== '') whole.push(to.ground)
  const anew = whole.length === 0 ? '\u001b[m' : `\u001b[;${whole.join(';')}m`
  const steps: string[] = []
  const lost = from.attributes & ~to.attributes
  let kept = from.attributes
  for (const [code, bits] of bitsOff) {
    if ((lost & bits) === 0) continue
    steps.push(code)
    kept &= ~bits
  }
  attributeCodes.forEach(({ on }, index) => {
    const bit = 1 << index
    if ((to.attributes & bit) !== 0 && (kept & bit) === 0) steps.push(on)
  })
  if (from.ink !== to.ink) steps.push(to.ink === '' ? '39' : to.ink)
  if (from.ground !== to.ground) steps.push(to.ground === '' ? '49' : to.ground)
  const stepwise = `\u001b[${steps.join(';')}m`
  return stepwise.length < anew.length ? stepwise : anew
}

const maxStyles = 1 << 16
const stylings = /\u001b\[([\d;:]*)m|\u001b\]8;;([!-~]*)\u001b\\/g

/** The styles used so far, each once, with the transitions between them cached. */
export class StyleTable {
  private readonly styles: Style[] = [plain]
  private readonly ids = new Map<string, StyleId>([['0///', 0]])
  /** By previous style, then by parameters. */
  private readonly afterParameters: Map<string, StyleId>[] = []
  private readonly changes = new Map<number, string>()
  private readonly bySequences = new Map<string, StyleId>()
  private readonly basis: Style
  /** The style of a cell of a frame that sets none. */
  readonly base: StyleId

  /** `base`: the sequence of the default text and background color; empty for the terminal's own. */
  constructor(base: string) {
    this.basis = applied(plain, base.slice(2, -1))
    this.base = this.idOf(this.basis)
  }

  /** Whether an erased cell looks like the frame's blank on every terminal. */
  get canErase(): boolean {
    return this.basis.ground === ''
  }

  /** The style after applying `parameters` (between `ESC [` and `m`) to a style. */
  after(id: StyleId, parameters: string): StyleId {
    let known = this.afterParameters[id]
    if (known === undefined) {
      known = new Map()
      this.afterParameters[id] = known
    }
    const before = known.get(parameters)
    if (before !== undefined) return before
    const next = this.idOf(applied(this.styles[id] ?? plain, parameters, this.basis))
    known.set(parameters, next)
    return next
  }

  /** The style with another link address. */
  private linked(id: StyleId, link: string): StyleId {
    return this.idOf({ ...(this.styles[id] ?? plain), link })
  }

  /** The style without a link. */
  unlinked(id: StyleId): StyleId {
    return this.styles[id]?.link === '' ? id : this.linked(id, '')
  }

  /** The style after applying consecutive SGR sequences and links to the base. */
  of(sequences: string): StyleId {
    if (sequences === '') return this.base
    const known = this.bySequences.get(sequences)
    if (known !== undefined) return known
    let style = this.base
    for (const [, parameters, address = ''] of sequences.matchAll(stylings))
      style = parameters === undefined ? this.linked(style, address) : this.after(style, parameters)
    this.bySequences.set(sequences, style)
    return style
  }

  /** The sequence that switches a terminal between two styles; empty if they are equal. */
  change(from: StyleId, to: StyleId): string {
    if (from === to) return ''
    const key = from * maxStyles + to
    const known = this.changes.get(key)
    if (known !== undefined) return known
    const sequence = change(this.styles[from] ?? plain, this.styles[to] ?? plain)
    this.changes.set(key, sequence)
    return sequence
  }

  /** Whether a blank in this style is invisible: it looks like the background around it. */
  isUnseen(id: StyleId): boolean {
    const style = this.styles[id]
    // Bold, dim, italic and text color do not show on a blank; another background, lines and reverse do.
    return (
      style !== undefined &&
      style.link === '' &&
      style.ground === this.basis.ground &&
      (style.attributes & visibleOnBlanks) === 0
    )
  }

  private idOf(style: Style): StyleId {
    const key = `${style.attributes}/${style.ink}/${style.ground}/${style.link}`
    const known = this.ids.get(key)
    if (known !== undefined) return known
    const id = this.styles.length
    this.styles.push(style)
    this.ids.set(key, id)
    return id
  }
}

const visibleOnBlanks = ['4', '5', '7', '9', '53'].reduce((bits, code) => bits | (bitsOn.get(code) ?? 0), 0)
