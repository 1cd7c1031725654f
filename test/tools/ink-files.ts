import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

type Change = (published: string) => string
type Changes = Record<'outputWithMemory' | 'squashWithMemory' | 'renderWithMemory' | 'domWithMemory', Change>

/** The changes that the bundle makes to Ink. */
export const changes: Changes = await import(pathToFileURL('.tools/ink-memory.mjs').href)

/** A file of Ink as it came. */
export const original = (name: string): string => readFileSync(`node_modules/ink/build/${name}`, 'utf8')

/** A module of this text, loaded from a file of the cache so that its imports are found: those beside it are Ink's. */
export async function load<T>(name: string, text: string): Promise<T> {
  mkdirSync('.cache/ink', { recursive: true })
  const path = `.cache/ink/${name}.mjs`
  const besideInk = text.replaceAll("from './", "from '../../node_modules/ink/build/")
  writeFileSync(path, besideInk.replace(/\n\/\/# source.*$/, ''))
  return await import(pathToFileURL(path).href)
}
