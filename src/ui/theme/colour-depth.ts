/**
 * What a terminal can show: 24-bit, 256 or 16 colours; `attributes` only bold, dim and reverse (a person asked for no
 * colour); `plain` nothing at all.
 */
export type ColourDepth = 'true' | '256' | '16' | 'attributes' | 'plain'

export type Environment = Readonly<Record<string, string | undefined>>

const forced: Readonly<Record<string, ColourDepth>> = { '0': 'attributes', '1': '16', '2': '256', '3': 'true' }

/**
 * The one place that decides about colours, from the environment alone. `NO_COLOR` wins over everything but a dumb
 * terminal.
 */
export function readColourDepth(env: Environment): ColourDepth {
  const terminal = env.TERM ?? ''
  if (terminal === 'dumb') return 'plain'
  if ((env.NO_COLOR ?? '') !== '') return 'attributes'
  const wish = forced[env.FORCE_COLOR ?? '']
  if (wish !== undefined) return wish
  if (/^(truecolor|24bit)$/i.test(env.COLORTERM ?? '')) return 'true'
  return /256|direct/i.test(terminal) ? '256' : '16'
}

/** Whether box drawing can be trusted: the locale says UTF-8, and it is not the plain Linux console. */
export function readGlyphSet(env: Environment): 'unicode' | 'ascii' {
  const terminal = env.TERM ?? ''
  if (terminal === 'dumb' || terminal === 'linux') return 'ascii'
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || ''
  return locale === '' || /utf-?8/i.test(locale) ? 'unicode' : 'ascii'
}
