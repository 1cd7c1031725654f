/** Linear light of a `#rrggbb`, each channel from 0 to 1. */
export type Light = readonly [number, number, number]

export function lightOf(hex: string): Light {
  const channel = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [channel(1), channel(3), channel(5)]
}

const luminance = ([red, green, blue]: Light): number => 0.2126 * red + 0.7152 * green + 0.0722 * blue

/** WCAG 2 contrast, from 1 (the same) to 21 (black on white). */
export function contrast(one: string, other: string): number {
  const [dark = 0, bright = 0] = [luminance(lightOf(one)), luminance(lightOf(other))].toSorted((a, b) => a - b)
  return (bright + 0.05) / (dark + 0.05)
}

/** Whether black can be read better on it than white. */
export const isLightColour = (hex: string): boolean => contrast(hex, '#000000') > contrast(hex, '#ffffff')
