import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { WriteJournal } from '../../src/journal/entry.ts'
import { FolderReader } from '../../src/journal/folder-reader.ts'
import { recordLine, writeLine } from '../../src/journal/record.ts'
import { aFolder, aJournal, anIntent, atMs, leaveBehind, linesOf } from './scene.ts'

function listening(journal: WriteJournal): string[] {
  const troubles: string[] = []
  journal.listen((sentence) => troubles.push(sentence))
  return troubles
}

describe('a disk that takes nothing', () => {
  test('and takes something again: the journal opens with the next write, without a new start', async () => {
    const folder = aFolder()
    mkdirSync(join(folder, '..'), { recursive: true })
    writeFileSync(folder, 'a file in the place of the folder')
    const journal = await aJournal(folder)
    const troubles: string[] = []
    const kept: boolean[] = []
    journal.listen(
      (sentence) => troubles.push(sentence),
      (isKept) => kept.push(isKept),
    )
    expect(kept).toEqual([false])
    expect(troubles).toEqual([
      expect.stringMatching(/^Only cancels are sent.*a file is in the place of a folder|EEXIST/),
    ])
    expect([await journal.adopt(), troubles.length]).toEqual([[], 1])
    await expect(journal.begin(anIntent('c1'), atMs)).rejects.toThrow('cannot be opened')
    const cancel = await journal.begin({ kind: 'cancel', orderId: '7' }, atMs)
    await cancel.end({ kind: 'canceled' }, atMs)
    expect(kept).toEqual([false])
    rmSync(folder)
    const write = await journal.begin(anIntent('c1'), atMs)
    expect(kept).toEqual([false, true])
    await write.end({ kind: 'accepted', id: '1', status: 'OPEN' }, atMs)
    expect(troubles.at(-1)).toBe('Back on record: cancel of order 7, canceled')
    expect((await journal.history(0)).map(({ intent }) => intent.kind).sort()).toEqual(['cancel', 'order'])
    expect(await journal.find({ kind: 'order', id: 'c1' })).toMatchObject({ entries: [{}], gap: null })
  })
})

describe('a journal that vanishes while it is written to', () => {
  test('takes no write that could not be repeated, finds nothing proven, and its desk lives on', async () => {
    const folder = aFolder()
    const journal = await aJournal(folder)
    const troubles: string[] = []
    const kept: boolean[] = []
    journal.listen(
      (sentence) => troubles.push(sentence),
      (isKept) => kept.push(isKept),
    )
    const inFlight = await journal.begin(anIntent('c1'), atMs)
    expect(kept).toEqual([])
    const unanswered = await journal.begin(anIntent('c4'), atMs)
    rmSync(folder, { recursive: true })
    const gone = `the journal was removed or replaced: put ${folder} back, or restart the desk`
    await expect(journal.begin(anIntent('c2'), atMs)).rejects.toThrow(gone)
    await expect(journal.find({ kind: 'order', id: 'c1' })).rejects.toMatchObject({
      ...{ name: 'JournalError', message: gone },
    })
    await expect(journal.history(0)).rejects.toThrow('was removed or replaced')
    await expect(journal.openElsewhere()).rejects.toThrow('was removed or replaced')
    await expect(journal.alone(() => Promise.resolve())).rejects.toThrow(gone)
    for (let rounds = 0; rounds < 3; rounds += 1) expect(await journal.adopt()).toEqual([])
    expect(troubles).toEqual([`Only cancels are sent: ${gone}`])
    await inFlight.end({ kind: 'accepted', id: '1', status: 'OPEN' }, atMs)
    expect(troubles.at(-1)).toMatch(
      /^Not on record: order c1, accepted as 1; .* was removed or replaced: put .* back, or restart the desk\. Do not resubmit$/,
    )
    await unanswered.end({ kind: 'unknown', reason: 'no answer' }, atMs)
    await journal.settle(unanswered.id, { how: 'notPlaced', by: 'person', id: null, evidence: 'not listed' }, atMs)
    expect(troubles.at(-1)).toMatch(
      /^Not on record: order c4, resolved as not placed; .* was removed or replaced: put .* back, or restart the desk\. Do not resubmit$/,
    )
    expect(journal.open()).toEqual([])
    expect(kept).toEqual([false])
    await journal.close()
    await expect(journal.begin(anIntent('c3'), atMs)).rejects.toThrow('closed')
    expect(kept).toEqual([false])
  })

  test('and comes back goes on where it was, with what happened meanwhile', async () => {
    const folder = aFolder()
    const journal = await aJournal(folder)
    const troubles = listening(journal)
    const inFlight = await journal.begin(anIntent('c1'), atMs)
    renameSync(folder, `${folder}-away`)
    await inFlight.end({ kind: 'accepted', id: '1', status: 'OPEN' }, atMs)
    renameSync(`${folder}-away`, folder)
    await journal.adopt()
    expect(troubles.at(-1)).toBe('Back on record: order c1, accepted as 1')
    await journal.close()
    const later = await aJournal(folder)
    expect(await later.find({ kind: 'order', id: 'c1' })).toMatchObject({ entries: [{ outcome: { id: '1' } }] })
  })

  test('and is back before a cancel has ended has all of that cancel on record', async () => {
    const folder = aFolder()
    const journal = await aJournal(folder)
    renameSync(folder, `${folder}-away`)
    const cancel = await journal.begin({ kind: 'cancel', orderId: '7' }, atMs)
    renameSync(`${folder}-away`, folder)
    await cancel.end({ kind: 'canceled' }, atMs)
    const { entries, gaps } = await new FolderReader(folder).since(0)
    expect([entries.all(), gaps]).toMatchObject([[{ intent: { orderId: '7' }, outcome: { kind: 'canceled' } }], []])
  })

  test('with an end that is on no record leaves its file to the next desk, which takes it up', async () => {
    const folder = aFolder()
    const journal = await aJournal(folder)
    const write = await journal.begin(anIntent('c1'), atMs)
    renameSync(folder, `${folder}-away`)
    await write.end({ kind: 'accepted', id: '1', status: 'OPEN' }, atMs)
    await journal.close()
    renameSync(`${folder}-away`, folder)
    const later = await aJournal(folder)
    expect(later.open()).toMatchObject([{ intent: { clientOrderId: 'c1' }, outcome: { kind: 'unknown' } }])
  })
})

describe('a journal that takes no write is tried without one', () => {
  async function aWatchedJournal(folder: string) {
    const journal = await aJournal(folder)
    const kept: boolean[] = []
    journal.listen(
      () => undefined,
      (isKept) => kept.push(isKept),
    )
    return { journal, kept }
  }

  test('and works again once its folder is back, with nothing on record that nobody asked for', async () => {
    const folder = aFolder()
    const { journal, kept } = await aWatchedJournal(folder)
    expect(await journal.retry()).toBe(false)
    expect(linesOf(folder)).toHaveLength(1)
    renameSync(folder, `${folder}-away`)
    await expect(journal.begin(anIntent('c1'), atMs)).rejects.toThrow('removed or replaced')
    expect([await journal.retry(), kept]).toEqual([false, [false]])
    renameSync(`${folder}-away`, folder)
    expect([await journal.retry(), kept]).toEqual([true, [false, true]])
    expect(await journal.retry()).toBe(false)
    expect([await journal.history(0), journal.open()]).toEqual([[], []])
    await journal.close()
    expect(await journal.retry()).toBe(false)
    const later = await aJournal(folder)
    expect(await later.find({ kind: 'order', id: 'c1' })).toEqual({ entries: [], gap: null })
  })

  test('and is opened that way where the disk took nothing at the start', async () => {
    const folder = aFolder()
    mkdirSync(join(folder, '..'), { recursive: true })
    writeFileSync(folder, 'a file in the place of the folder')
    const { journal, kept } = await aWatchedJournal(folder)
    expect([await journal.retry(), kept]).toEqual([false, [false]])
    // Whoever sends is told of the disk, and not of a lock for which there is no folder yet.
    await expect(journal.alone(() => Promise.resolve())).rejects.toThrow('cannot be opened: ')
    rmSync(folder)
    mkdirSync(folder)
    leaveBehind(folder, recordLine({ record: 'begin', at: atMs, id: 'e1', intent: anIntent('left') }))
    expect([await journal.retry(), kept]).toEqual([true, [false, true]])
    expect((await journal.adopt()).map(({ id }) => id)).toEqual(['e1'])
  })

  test('and stays shut while only a line would fit, and no order could begin', async () => {
    const folder = aFolder()
    const { journal, kept } = await aWatchedJournal(folder)
    const lock = join(folder, 'begin.lock')
    mkdirSync(lock)
    await expect(journal.alone(() => Promise.resolve())).rejects.toThrow('cannot be locked')
    expect([await journal.retry(), kept]).toEqual([false, [false]])
    rmSync(lock, { recursive: true })
    expect([await journal.retry(), kept]).toEqual([true, [false, true]])
  })
})

describe('what a newer program wrote', () => {
  const desk = (version: number) => ({ at: '2026-01-05T14:00:00.000Z', record: 'desk', version, exchange: 'practice' })
  const begin = { at: '2026-01-05T14:00:00.000Z', record: 'begin', id: 'e1', intent: { kind: 'amend', orderId: '7' } }

  test.each(['', 'closed', 'joined'])(
    'in %s keeps the journal shut: nothing of it is taken over or put away',
    async (place) => {
      const folder = aFolder()
      mkdirSync(join(folder, place), { recursive: true })
      const path = join(folder, place, place === 'joined' ? '000001.jsonl' : 'newer.0001.jsonl')
      const text = writeLine(desk(3)) + writeLine(begin)
      writeFileSync(path, text)
      await expect(aJournal(folder)).rejects.toThrow(/written by a newer pitdesk/)
      expect(readFileSync(path, 'utf8')).toBe(text)
    },
  )

  test('under a version that is known is left alone, and is not called damaged', async () => {
    const folder = aFolder()
    mkdirSync(folder, { recursive: true })
    const path = join(folder, 'newer.0001.jsonl')
    writeFileSync(path, writeLine(desk(2)) + writeLine(begin))
    const journal = await aJournal(folder)
    expect(listening(journal)).toEqual(['Journal newer is left alone: it was written by a newer pitdesk'])
    expect(readdirSync(folder)).toContain('newer.0001.jsonl')
    await expect(journal.openElsewhere()).rejects.toThrow('a newer pitdesk writes to it')
    await expect(journal.find({ kind: 'order', id: 'c1' })).rejects.toMatchObject({
      ...{ message: 'journal newer.0001.jsonl was written by a newer pitdesk: use that one', isFinal: true },
    })
    await expect(journal.history(0)).rejects.toThrow('written by a newer pitdesk')
  })

  test('of version 1, from before files were joined, is read', async () => {
    const folder = aFolder()
    mkdirSync(folder, { recursive: true })
    const cancel = { ...begin, intent: { kind: 'cancel', orderId: '7' } }
    writeFileSync(join(folder, 'older.0001.jsonl'), writeLine(desk(1)) + writeLine(cancel))
    const journal = await aJournal(folder)
    expect(journal.open()).toMatchObject([{ id: 'e1', outcome: { kind: 'unknown' } }])
  })
})
