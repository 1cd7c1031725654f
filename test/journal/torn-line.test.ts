import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aFolder, aJournal, anIntent, atMs, leaveBehind, onlyFile, openIds } from './scene.ts'

test('a last line torn at any byte is set aside and told, and nothing before it is lost', async () => {
  const folder = aFolder()
  const first = await aJournal(folder)
  await (await first.begin(anIntent('c1'), atMs)).end({ kind: 'unknown', reason: 'reset' }, atMs)
  const before = statSync(onlyFile(folder)).size
  await first.begin(anIntent('c2'), atMs)
  const bytes = readFileSync(onlyFile(folder))
  await first.close()
  const lastLine = bytes.length - before
  expect(lastLine).toBeGreaterThan(100)
  for (let length = 0; length <= lastLine; length += 1) {
    const other = aFolder()
    const seed = await aJournal(other)
    await seed.close()
    leaveBehind(other, bytes.subarray(0, before + length))
    const journal = await aJournal(other)
    const troubles: string[] = []
    journal.listen((sentence) => troubles.push(sentence))
    // Without its line's end alone a record is whole: its checksum says so.
    const isWhole = length >= lastLine - 1
    expect(openIds(journal)).toEqual(isWhole ? ['c1', 'c2'] : ['c1'])
    const isTorn = length > 0 && !isWhole
    expect(troubles.length).toBe(isTorn ? 1 : 0)
    expect(existsSync(join(other, isTorn ? 'damaged' : 'closed', 'gone.0001.jsonl'))).toBe(true)
    await journal.close()
  }
})
