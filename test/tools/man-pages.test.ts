import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildManPages } from '../../.tools/manual.mjs'
import { commandTable } from '../../src/commands/command-table.ts'
import { pages } from '../../src/manual/pages.ts'
import { subjectNames } from '../../src/manual/subjects.ts'
import { withoutStyles } from '../fakes/without-styles.ts'

const folder = mkdtempSync(join(tmpdir(), 'pitdesk-man-'))
beforeAll(async () => {
  writeFileSync(join(folder, 'pitdesk-gone.7'), '')
  await buildManPages(folder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const names = ['pitdesk.1', ...subjectNames.map((name) => `pitdesk-${name}.7`)]
const textOf = (name: string) => readFileSync(join(folder, name), 'utf8')
const isThere = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0

test('there is one for the commands and one for each subject, and the package ships them', () => {
  expect(new Set(readdirSync(folder))).toEqual(new Set(names))
  const manifest: { man: string[]; version: string } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(manifest.man).toEqual(names.map((name) => `dist/man/${name}`))
  expect(textOf('pitdesk.1')).toContain(`.TH "PITDESK" 1 "" "pitdesk ${manifest.version}"`)
})

test('pitdesk(1) has every command with every flag, every exit code, and leads to every subject', () => {
  const text = textOf('pitdesk.1').replaceAll('\\-', '-')
  for (const { name, flags } of commandTable) {
    const [, rest = ''] = text.split(new RegExp(`^\\.SS "pitdesk ${name}(?: [^"]*)?"$`, 'm'))
    const own = rest.split(/^\.S[SH] /m)[0] ?? ''
    for (const flag of flags) expect(own, name).toContain(`\\fB--${flag.name}`)
  }
  for (const code of ['0', '1', '2', '3', '4', '5', '6', '128 + n']) expect(text).toContain(`\n.TP\n${code}\n`)
  for (const name of subjectNames) expect(text).toContain(`\\fBpitdesk-${name}\\fR(7)`)
})

test('a page says what the manual says, and no line of it is taken for a request', () => {
  for (const [name, page] of Object.entries(pages)) {
    const text = textOf(`pitdesk-${name}.7`)
    const requests = text.split('\n').filter((line) => /^[.']/.test(line))
    const known = /^\.(TH|SH|SS|PP|TP|IP|RS|RE|nf|fi|nh|ad l|br)\b/
    expect(requests.filter((line) => !known.test(line))).toEqual([])
    for (const [, title = ''] of page.matchAll(/^## (.+)$/gm)) expect(text).toContain(`.SH "${title.toUpperCase()}"`)
  }
})

// Where the machine has what reads them: both say nothing of a page that is in order.
test.runIf(isThere('groff')).each(names)('groff reads %s without a warning', (name) => {
  const ran = spawnSync('groff', ['-k', '-man', '-Tutf8', '-ww', '-z', join(folder, name)], { encoding: 'utf8' })
  expect({ stderr: ran.stderr, status: ran.status }).toEqual({ stderr: '', status: 0 })
})

test.runIf(isThere('man') && isThere('groff'))('man shows it', () => {
  const env = { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', MANWIDTH: '78', MANPAGER: 'cat' }
  const shown = execFileSync('man', ['-l', join(folder, 'pitdesk-scripting.7')], { env, encoding: 'utf8' })
  const plain = withoutStyles(shown).replaceAll(/.\u0008/g, '')
  expect(plain).toContain('pitdesk-scripting - commands in scripts')
  expect(plain).toContain('pitdesk order cancel 9912041 9912042')
  expect(plain).toContain('{"error":{"kind","message","clientOrderId"?,"todo"?}}')
})
