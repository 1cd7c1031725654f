import { encode } from 'uqr'

/** Modules of light around the code, without which a camera does not find it. */
const quiet = 2
const halves = [' ', '▄', '▀', '█'] as const

/**
 * A text as the lines of a QR code, two modules in each character's height. Drawn is what is light in it, for light
 * signs on a dark ground; `isInverted` draws what is dark.
 */
export function qrLines(text: string, isInverted: boolean): string[] {
  const { data, size } = encode(text, { ecc: 'L', border: 0 })
  const isDrawn = (row: number, column: number): boolean =>
    (data[row - quiet]?.[column - quiet] === true) === isInverted
  const across = size + 2 * quiet
  return Array.from({ length: Math.ceil(across / 2) }, (_, line) =>
    Array.from({ length: across }, (__, column) => {
      const upper = isDrawn(2 * line, column) ? 2 : 0
      // Below the last module there is nothing to draw.
      const lower = 2 * line + 1 < across && isDrawn(2 * line + 1, column) ? 1 : 0
      return halves[upper + lower] ?? ' '
    }).join(''),
  )
}
