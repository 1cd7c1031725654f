import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cutOut } from './cut-out.ts'
import type { Scene } from './scenes.ts'

const folder = new URL('screens/', import.meta.url)
const fileOf = (name: string): URL => new URL(`${name}.txt`, folder)

const usualSizes = [
  [80, 24],
  [120, 40],
  [200, 60],
] as const

/** The scene at each of its sizes below each other, as it is kept. */
export const pictureOf = ({ state, part, sizes = usualSizes }: Scene): string =>
  sizes.map(([columns, rows]) => `## ${columns}x${rows}\n${cutOut(state, part, columns, rows)}\n`).join('\n')

/** Whether the kept screens are to be drawn anew instead of compared. */
export const isUpdate = process.env.UPDATE_GOLDEN === '1'

/** The names of the scenes that are kept. */
export const keptNames = (): string[] => readdirSync(folder).map((name) => name.replace(/\.txt$/, ''))

/** Empties the folder before everything is drawn anew, so that no scene stays that is gone. */
export function forgetAll(): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
}

export const keep = (name: string, picture: string): void => writeFileSync(fileOf(name), picture)

/** The kept screens of a scene. */
export const readKept = (name: string): string => readFileSync(fileOf(name), 'utf8')
