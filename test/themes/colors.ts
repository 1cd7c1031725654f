import { type Light, lightOf } from '../../src/themes/tones.ts'

type Matrix = readonly (readonly [number, number, number])[]
/** Machado, Oliveira and Fernandes 2009, severity 1, on linear light. */
const sights: Readonly<Record<'usual' | 'protanopia' | 'deuteranopia', Matrix>> = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
}
export type Sight = keyof typeof sights

/** CIE Lab (D65) of a color as somebody with this sight sees it. */
function lab(hex: string, sight: Sight): Light {
  const [red, green, blue] = lightOf(hex)
  const seen = sights[sight].map(([r, g, b]) => Math.min(1, Math.max(0, r * red + g * green + b * blue)))
  const [r = 0, g = 0, b = 0] = seen
  const curve = (value: number) => (value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116)
  const x = curve((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047)
  const y = curve(0.2126 * r + 0.7152 * g + 0.0722 * b)
  const z = curve((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883)
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}

/** Distance of two colors to an eye (CIE 1976): under 10 they look alike in passing. */
export function distance(one: string, other: string, sight: Sight): number {
  const [first, second] = [lab(one, sight), lab(other, sight)]
  return Math.hypot(...first.map((value, at) => value - (second[at] ?? 0)))
}
