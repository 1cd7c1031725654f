import { type KeySource, keyFileComplaint } from '../../config/key-source.ts'

/** One finding: its level, its subject, and words with the remedy if it is not well. */
export type Finding = { level: 'ok' | 'warn' | 'fail'; about: string; text: string }

export const ok = (about: string, text: string): Finding => ({ level: 'ok', about, text })
export const warn = (about: string, text: string): Finding => ({ level: 'warn', about, text })
export const fail = (about: string, text: string): Finding => ({ level: 'fail', about, text })

/** The source of a key, and whether others can read its file; the key itself is not read. */
export function keySourceFinding(source: KeySource): Finding {
  const { name } = source
  if (source.kind !== 'file') return ok('key source', `${name} (${source.kind})`)
  const wrong = keyFileComplaint(source.path)
  return wrong === null
    ? ok('key source', `${name}: ${source.path}`)
    : fail('key source', `${name}: ${source.path} ${wrong}`)
}
