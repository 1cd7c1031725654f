import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { buildAlone, isBuilding } from '../../.tools/build-lock.mjs'
import { temporaryFolder } from '../fakes/temporary-folder.ts'

/** Builds a file in two pieces with some work between them, and writes down that it did. */
const builder = (folder: string) => `import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { buildAlone } from ${JSON.stringify(pathToFileURL('.tools/build-lock.mjs').href)}
process.chdir(${JSON.stringify(folder)})
await buildAlone({
  lock: 'lock',
  isBuilt: () => existsSync('built') && readFileSync('built', 'utf8') === 'onetwo',
  build: async () => {
    appendFileSync('builders', 'x')
    appendFileSync('built', 'one')
    execFileSync(process.execPath, ['--eval', ''])
    appendFileSync('built', 'two')
  },
})
console.log(readFileSync('built', 'utf8'))`

test('of several that need the same built one builds it, and the others go on once it is whole', async () => {
  const folder = temporaryFolder('builds')
  const run = async () => {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', builder(folder)], { stdio: 'pipe' })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)))
    await once(child, 'close')
    return said
  }
  expect(await Promise.all([run(), run(), run(), run()])).toEqual(Array(4).fill('onetwo\n'))
  expect(readFileSync(join(folder, 'builders'), 'utf8')).toBe('x')
  expect(existsSync(join(folder, 'lock'))).toBe(false)
})

test('a build whose process is gone keeps nobody waiting, and one that failed leaves the turn to the next', async () => {
  const lock = join(temporaryFolder('builds'), 'lock')
  const { pid } = spawnSync(process.execPath, ['--eval', ''])
  writeFileSync(lock, String(pid))
  expect(isBuilding(lock)).toBe(false)
  let built = 0
  const work = { lock, isBuilt: () => built > 0 }
  await expect(buildAlone({ ...work, build: () => Promise.reject(new Error('no room')) })).rejects.toThrow('no room')
  await buildAlone({
    ...work,
    build: () => {
      expect(isBuilding(lock)).toBe(true)
      built += 1
      return Promise.resolve()
    },
  })
  expect([built, existsSync(lock)]).toEqual([1, false])
})
