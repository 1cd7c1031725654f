// The thread of a practice exchange on a disk that does what `workerData.disk` says, from its start or when it is told.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { workerData } from 'node:worker_threads'
import { type Disk, gateOf } from './disks.ts'

const { disk }: { disk: Disk } = workerData

/** Has `before` called before each call of a method of the database. */
function before(owner: object, name: string, act: (self: object, words: readonly unknown[]) => void): void {
  const original: unknown = Reflect.get(owner, name)
  if (typeof original !== 'function') throw new Error(`a database without ${name}`)
  Reflect.set(owner, name, function (this: object, ...words: unknown[]): unknown {
    act(this, words)
    return Reflect.apply(original, this, words)
  })
}

if (disk.kind === 'full') {
  const { gate } = disk
  const isOpen = () => Atomics.load(gate, 0) === gateOf.open
  const { statfsSync } = fs
  const asked = (path: string) => {
    Atomics.add(gate, 1, 1)
    return { ...statfsSync(path), bsize: 4_096, bavail: isOpen() ? 1_000_000 : 0 }
  }
  Object.assign(fs, { statfsSync: asked })
  syncBuiltinESMExports()
  before(DatabaseSync.prototype, 'exec', (database, [sql]) => {
    // No less than it has already can be set.
    if (!isOpen() && database instanceof DatabaseSync && sql === 'BEGIN IMMEDIATE; COMMIT')
      database.prepare('PRAGMA max_page_count = 1').get()
  })
} else {
  const { kind, gate } = disk
  before(StatementSync.prototype, 'run', (statement) => {
    if (!(statement instanceof StatementSync) || statement.sourceSQL !== 'COMMIT') return
    if (Atomics.load(gate, 0) === gateOf.open) return
    if (kind === 'faulty') throw new TypeError('a bug of the practice exchange')
    Atomics.store(gate, 0, gateOf.waiting)
    Atomics.wait(gate, 0, gateOf.waiting)
  })
}

await import('../../../src/sandbox/apart/practice-thread.ts')
