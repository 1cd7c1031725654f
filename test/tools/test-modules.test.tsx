import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { renderToString, Text } from 'ink'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../fakes/temporary-folder.ts'

/** Types and JSX, of which nothing is left when it runs, before what the test looks for. */
type Thrown = {
  name: string
  stack: string
}

const Named = ({ name }: Pick<Thrown, 'name'>) => <Text>{name}</Text>

function thrown(): Thrown {
  const { name, stack = '' } = new Error('here')
  return { name, stack }
}

test('a failure names the line and the column that it has in its source', () => {
  const path = fileURLToPath(import.meta.url)
  const lines = readFileSync(path, 'utf8').split('\n')
  const line = lines.findIndex((text) => text.includes("new Error('here')"))
  const column = (lines[line] ?? '').indexOf('new Error')
  expect(thrown().stack).toContain(`${path}:${line + 1}:${column + 1}`)
})

test('a file of tests is loaded under its own name, and draws with the Ink that keeps what it drew', () => {
  expect(import.meta.url).toMatch(/\/test\/tools\/test-modules\.test\.tsx$/)
  expect(import.meta.resolve('ink')).toMatch(/\/\.cache\/ink-[0-9a-f]{12}\/ink\.js$/)
  expect(renderToString(<Named name={thrown().name} />)).toBe('Error')
})

test('a property tries the same examples each time, and others where a seed is named', () => {
  const { PITDESK_TEST_FORM: form, PITDESK_TEST_SEED: seed } = process.env
  const expected = seed === undefined && form === 'long' ? undefined : Number(seed ?? 20)
  expect(fc.readConfigureGlobal().seed).toBe(expected)
})

test('what was made of a source is kept for the next process, and a source that changed is made anew', () => {
  const root = temporaryFolder('modules')
  mkdirSync(join(root, '.tools'))
  copyFileSync('.tools/test-modules.mjs', join(root, '.tools/test-modules.mjs'))
  symlinkSync(join(process.cwd(), 'node_modules'), join(root, 'node_modules'))
  const path = join(root, 'said.ts')
  const run = () => {
    const { stdout } = spawnSync(process.execPath, ['--import', './.tools/test-modules.mjs', path], { cwd: root })
    return stdout.toString().trim()
  }
  const folder = join(root, '.cache/transformed')
  writeFileSync(path, "const said: string = 'one'\nconsole.log(said)\n")
  expect(run()).toBe('one')
  const [kept = ''] = readdirSync(folder)
  writeFileSync(join(folder, kept), readFileSync(join(folder, kept), 'utf8').replace('one', 'kept'))
  expect(run()).toBe('kept')
  writeFileSync(path, "const said: string = 'two'\nconsole.log(said)\n")
  expect(run()).toBe('two')
  expect(readdirSync(folder)).toHaveLength(2)
})
