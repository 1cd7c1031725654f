import { execFileSync } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../fakes/temporary-folder.ts'
import { readArguments } from './screen/arguments.ts'
import { inScratchFolder } from './screen/scratch-folder.ts'
import { checkOut } from './screen/version-before.ts'

const parts = ['bytes', 'keys', 'memory'] as const

test.each([
  ['nothing: every part, no version before', [], { parts, updateCount: null, before: null }],
  ['a part and a commit', ['bytes', '--before', 'f09de3c'], { parts: ['bytes'], updateCount: null, before: 'f09de3c' }],
  ['a commit alone, in one word', ['--before=HEAD~3'], { parts, updateCount: null, before: 'HEAD~3' }],
  [
    'parts in any order, once each, with a number',
    ['memory', '20000', '--before', '1234567', 'bytes', 'bytes'],
    { parts: ['bytes', 'memory'], updateCount: 20_000, before: '1234567' },
  ],
])('the bench of the screen reads %s', (_, words, value) => {
  expect(readArguments(words, parts)).toEqual({ ok: true, value })
})

test.each([
  ['--before needs a commit', ['--before']],
  ['--before needs a commit', ['bytes', '--before=']],
  ['--before needs a commit', ['--before', '--all']],
  ['one --before at a time', ['--before', 'a', '--before', 'b']],
  ['there is no "byte": bytes, keys, memory', ['byte']],
])('the bench of the screen says %s', (sentence, words) => {
  const asked = readArguments(words, parts)
  expect(asked.ok ? '' : asked.error).toContain(sentence)
})

class Program extends EventEmitter {
  readonly codes: number[] = []
  exit(code: number): void {
    this.codes.push(code)
  }
}

test('what a bench leaves in its folder goes when it is done and when it fails', async () => {
  const program = new Program()
  const parent = temporaryFolder('bench')
  const folders: string[] = []
  const fill = (folder: string) => {
    folders.push(folder)
    mkdirSync(join(folder, 'before'))
    writeFileSync(join(folder, 'before', 'tape'), 'x')
  }
  const done = inScratchFolder(
    async (folder) => {
      fill(folder)
      return 'figures'
    },
    program,
    parent,
  )
  await expect(done).resolves.toBe('figures')
  const failed = inScratchFolder(
    async (folder) => {
      fill(folder)
      throw new Error('does not build')
    },
    program,
    parent,
  )
  await expect(failed).rejects.toThrow('does not build')
  expect(folders.map((folder) => existsSync(folder))).toEqual([false, false])
  expect(program.eventNames()).toEqual([])
})

test('a person who ends a bench leaves no folder behind', async () => {
  const program = new Program()
  const parent = temporaryFolder('bench')
  await inScratchFolder(
    async (folder) => {
      writeFileSync(join(folder, 'tape'), 'x')
      program.emit('SIGINT')
      expect(existsSync(folder)).toBe(false)
    },
    program,
    parent,
  )
  expect(program.codes).toEqual([130])
})

/** What benches of the screen looked like before they knew bigints and real time. */
const oldReader = "  if ('$decimal' in value) return new Decimal(String(value.$decimal))\n"
const oldChild = 'play(\n() => desk.next(),\n() => desk.prepare(),\n)\ndesk.next()\n'

/** A clone with one commit, and other tools by now. */
function clone(reader = oldReader): string {
  const folder = temporaryFolder('bench-clone')
  const git = (...words: string[]) => execFileSync('git', words, { cwd: folder, encoding: 'utf8', stdio: 'pipe' })
  const write = (path: string, text: string) => {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  for (const path of ['test/bench/screen/build-child.ts', '.tools/build.mjs']) write(path, 'old')
  write('test/bench/screen/console-child.tsx', oldChild)
  write('test/bench/screen/tape.ts', reader)
  write('package-lock.json', '{}')
  git('init', '--quiet')
  git('add', '.')
  const author = ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost', '-c', 'commit.gpgsign=false']
  git(...author, 'commit', '--quiet', '--message', 'one')
  write('.tools/build.mjs', 'new')
  write('node_modules/ink/package.json', '{}')
  return folder
}

test("a version before is the commit's files, mended to play today's tapes, with the packages that are here", async () => {
  const repository = clone()
  const parent = temporaryFolder('bench')
  await inScratchFolder(
    async (home) => {
      const before = checkOut('HEAD', join(home, 'before'), repository)
      if (!before.ok) throw new Error(before.error)
      const { name, day, folder, hasSamePackages } = before.value
      expect(name).toMatch(/^[0-9a-f]{7,}$/)
      expect(day).toMatch(/^\d{4}-\d\d-\d\d$/)
      expect(hasSamePackages).toBe(true)
      const textOf = (path: string) => readFileSync(join(folder, path), 'utf8')
      expect(textOf('.tools/build.mjs')).toBe('old')
      expect(textOf('test/bench/screen/tape.ts')).toBe(
        `  if ('$bigint' in value) return BigInt(String(value.$bigint))\n${oldReader}`,
      )
      const step = 'request.isRealTime === true ? 1_000 / request.perSecond : undefined'
      expect(textOf('test/bench/screen/console-child.tsx')).toBe(
        `play(\n() => desk.next(${step}),\n() => desk.prepare(${step}),\n)\ndesk.next()\n`,
      )
      expect(textOf('node_modules/ink/package.json')).toBe('{}')
    },
    new Program(),
    parent,
  )
  // The folder went, and what it only pointed to did not; the clone's index knows of nothing.
  expect(existsSync(join(repository, 'node_modules/ink/package.json'))).toBe(true)
  const changed = execFileSync('git', ['status', '--short', '--untracked-files=no'], {
    cwd: repository,
    encoding: 'utf8',
  })
  expect(changed.trim().split(/\s*\n\s*/)).toEqual(['M .tools/build.mjs'])
})

test('a reader of tapes that knows bigints is left alone, and one of another make is said', () => {
  const known = "  if ('$bigint' in value) return 1n\n"
  const place = () => join(temporaryFolder('bench'), 'before')
  const before = checkOut('HEAD', place(), clone(known))
  expect(before.ok && readFileSync(join(before.value.folder, 'test/bench/screen/tape.ts'), 'utf8')).toBe(known)
  const other = checkOut('HEAD', place(), clone('tapes are read elsewhere'))
  expect(other.ok ? '' : other.error).toContain('not known here: test/bench/screen/tape.ts')
})

test('a commit that is not there, or that has no bench of the screen, is said', () => {
  const repository = clone()
  const git = (...words: string[]) => execFileSync('git', words, { cwd: repository, stdio: 'pipe' })
  const outcome = (commit: string) => {
    const found = checkOut(commit, join(temporaryFolder('bench'), 'before'), repository)
    return found.ok ? null : found.error
  }
  expect(outcome('f09de3c')).toContain('git knows no commit "f09de3c" here')
  expect(outcome('--all')).toContain('git knows no commit "--all" here')
  git('rm', '--quiet', '--force', 'test/bench/screen/build-child.ts')
  const author = ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost', '-c', 'commit.gpgsign=false']
  git(...author, 'commit', '--quiet', '--message', 'two')
  expect(outcome('HEAD')).toContain('has no test/bench/screen/build-child.ts')
  expect(outcome('HEAD~1')).toBe(null)
})
