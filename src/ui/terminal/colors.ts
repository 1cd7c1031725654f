import { ansiColors, type Style } from '../../themes/tones.ts'

/**
 * What a terminal can show: 24-bit, 256 or 16 colors; `attributes` only bold, dim and reverse, because the user asked
 * for no color or the terminal has none; `plain` nothing at all.
 */
export type ColorDepth = 'true' | '256' | '16' | 'attributes' | 'plain'

export type Environment = Readonly<Record<string, string | undefined>>

/** The environment variables these functions, and so the look of the screen, depend on. */
export const lookVariables = ['TERM', 'NO_COLOR', 'FORCE_COLOR', 'COLORTERM', 'LC_ALL', 'LC_CTYPE', 'LANG'] as const

const forced: Readonly<Record<string, ColorDepth>> = { '0': 'attributes', '1': '16', '2': '256', '3': 'true' }

/**
 * The only place that decides about colors, from the environment alone. `NO_COLOR` overrides everything but a dumb
 * terminal.
 */
export function readColorDepth(env: Environment): ColorDepth {
  const terminal = env.TERM ?? ''
  if (terminal === 'dumb') return 'plain'
  if ((env.NO_COLOR ?? '') !== '') return 'attributes'
  const wish = forced[env.FORCE_COLOR ?? '']
  if (wish !== undefined) return wish
  if (/-mono(?:$|-)|-m$/.test(terminal)) return 'attributes'
  if (/^(truecolor|24bit)$/i.test(env.COLORTERM ?? '')) return 'true'
  return /256|direct/i.test(terminal) ? '256' : '16'
}

/**
 * Unicode glyphs if box drawing can be trusted: the locale is UTF-8 or unset, and the terminal is neither dumb nor the
 * Linux console.
 */
export function readGlyphSet(env: Environment): 'unicode' | 'ascii' {
  const terminal = env.TERM ?? ''
  if (terminal === 'dumb' || terminal === 'linux') return 'ascii'
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || ''
  return locale === '' || /utf-?8/i.test(locale) ? 'unicode' : 'ascii'
}

const colorNames: readonly string[] = ansiColors

/** 30–37 or 90–97 for a name such as `green` or `brightGreen`; undefined for any other text. */
function sixteen(name: string | undefined): number | undefined {
  const index = colorNames.indexOf(name ?? '')
  return index === -1 ? undefined : index < 8 ? 30 + index : 90 + index - 8
}

function channels(hex: string | undefined): [number, number, number] | undefined {
  const digits = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(hex ?? '')
  if (digits === null) return undefined
  const [red = 0, green = 0, blue = 0] = digits.slice(1).map((pair) => Number.parseInt(pair, 16))
  return [red, green, blue]
}

/** The nearest of the 216 cube colors and 24 grays that 256-color terminals share. */
function nearest256(rgb: readonly [number, number, number]): number {
  const away = (shown: readonly number[]) => rgb.reduce((sum, value, at) => sum + (value - (shown[at] ?? 0)) ** 2, 0)
  const levels = rgb.map((value) => (value < 48 ? 0 : value < 115 ? 1 : Math.min(5, Math.floor((value - 35) / 40))))
  const mean = (rgb[0] + rgb[1] + rgb[2]) / 3
  const gray = Math.min(23, Math.max(0, Math.round((mean - 8) / 10)))
  const ofCube = levels.map((level) => (level === 0 ? 0 : 55 + 40 * level))
  const ofGray = [0, 0, 0].map(() => 8 + 10 * gray)
  if (away(ofGray) < away(ofCube)) return 232 + gray
  return 16 + 36 * (levels[0] ?? 0) + 6 * (levels[1] ?? 0) + (levels[2] ?? 0)
}

/** SGR parameters for a color; `ground` is 38 for text and 48 for its background. */
function color(hex: string | undefined, name: string | undefined, ground: 38 | 48, depth: ColorDepth): string[] {
  const rgb = channels(hex)
  if (depth === 'true' && rgb !== undefined) return [`${ground};2;${rgb.join(';')}`]
  if (depth === '256' && rgb !== undefined) return [`${ground};5;${nearest256(rgb)}`]
  const code = depth === '16' ? sixteen(name) : undefined
  return code === undefined ? [] : [String(ground === 48 ? code + 10 : code)]
}

/** The escape sequence that switches a style on; empty if the terminal can show nothing of it. */
export function sgr(style: Style, depth: ColorDepth): string {
  if (depth === 'plain') return ''
  const codes: string[] = []
  if (style.bold === true) codes.push('1')
  // Gray text is not dimmed as well: on many screens the two together are invisible.
  if (style.dim === true && (style.fg === undefined || depth === '16' || depth === 'attributes')) codes.push('2')
  if (style.underline === true) codes.push('4')
  if (style.reverse === true || (depth === 'attributes' && style.bg !== undefined)) codes.push('7')
  codes.push(...color(style.fg, style.ansi, 38, depth), ...color(style.bg, style.ansiBg, 48, depth))
  return codes.length === 0 ? '' : `\u001b[${codes.join(';')}m`
}
