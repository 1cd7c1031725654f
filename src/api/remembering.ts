import type { Result } from '../base/result.ts'

type Read<T> = { json: string; result: Result<T> }

/** A longer text is read anew each time, so that what is kept stays small. */
const lengthMost = 1024 * 1024
/** More symbols than a desk asks for in turn. */
const namesMost = 32

/**
 * A reader that gives the very object of before when the text is the same as the last one, letter by letter: most polls
 * bring nothing new, and whoever is given the same object need not look into it.
 */
export function remembering<T>(read: (json: string) => Result<T>): (json: string) => Result<T> {
  const each = rememberingEach((json) => read(json))
  return (json) => each(json, '')
}

/** The same for a reader that is told what it reads: the last text of each name counts, of the last names. */
export function rememberingEach<T>(
  read: (json: string, name: string) => Result<T>,
): (json: string, name: string) => Result<T> {
  const last = new Map<string, Read<T>>()
  return (json, name) => {
    const known = last.get(name)
    if (known?.json === json) return known.result
    const result = read(json, name)
    last.delete(name)
    if (json.length <= lengthMost) last.set(name, { json, result })
    const [oldest] = last.keys()
    if (last.size > namesMost && oldest !== undefined) last.delete(oldest)
    return result
  }
}
