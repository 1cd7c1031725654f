import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import {
  createThemeFolder,
  type OwnThemes,
  themeFolderPath,
  watchThemeFolder,
  wishedTheme,
} from '../../src/config/theme-folder.ts'
import { eventually } from '../fakes/eventually.ts'
import { FakeClock, settle } from '../fakes/fake-clock.ts'
import { temporaryFolder } from '../fakes/temporary-folder.ts'

function tempFolder(): string {
  const folder = temporaryFolder('themes')
  return folder
}

const theme = (name: string, fg = '#123456') => JSON.stringify({ name, tones: { bid: { fg } } })

test('the folder is beside the configuration', () => {
  expect(themeFolderPath({ HOME: '/h' })).toBe('/h/.config/pitdesk/themes')
})

test('without a folder there are no themes of one’s own, and nothing is wrong', () => {
  expect(createThemeFolder('/nowhere/at/all').read()).toEqual({ themes: [], complaints: [] })
})

test('every .json file is a theme; what is none is told', () => {
  const folder = tempFolder()
  writeFileSync(join(folder, 'a.json'), theme('mine'))
  writeFileSync(join(folder, 'b.json'), '{"name":"other"}')
  writeFileSync(join(folder, 'c.json'), theme('mine', '#ffffff'))
  writeFileSync(join(folder, 'd.json'), `"${'x'.repeat(70_000)}"`)
  mkdirSync(join(folder, 'e.json'))
  symlinkSync(join(folder, 'gone'), join(folder, 'f.json'))
  writeFileSync(join(folder, 'notes.txt'), 'no theme')
  const { themes, complaints } = createThemeFolder(folder).read()
  expect(themes.map(({ name, tones }) => [name, tones.bid.fg])).toEqual([['mine', '#123456']])
  expect(complaints).toEqual([
    expect.stringContaining('b.json: tones must be'),
    expect.stringContaining('d.json is longer than 64 KiB'),
    expect.stringContaining('e.json is not a plain file'),
    expect.stringContaining('f.json is behind a link to nothing'),
    'Two theme files have the name "mine": only the first one counts',
  ])
})

test('themes that others can change are not read: such a one hides what it likes', () => {
  const folder = tempFolder()
  writeFileSync(join(folder, 'a.json'), theme('mine'))
  writeFileSync(join(folder, 'b.json'), theme('other'))
  chmodSync(join(folder, 'b.json'), 0o666)
  const { themes, complaints } = createThemeFolder(folder).read()
  expect(themes.map(({ name }) => name)).toEqual(['mine'])
  expect(complaints).toEqual([expect.stringMatching(/b\.json can be changed by others \(mode 0666\)/)])
  chmodSync(folder, 0o777)
  expect(createThemeFolder(folder).read()).toEqual({
    themes: [],
    complaints: [`${folder} can be written to by others (mode 0777): chmod go-w it`],
  })
})

test('a file that becomes wrong counts as it was, and says so; one that is taken away does not', () => {
  const folder = tempFolder()
  const path = join(folder, 'a.json')
  const themes = createThemeFolder(folder)
  writeFileSync(path, theme('mine'))
  themes.read()
  writeFileSync(path, '{"name":"mine","tones":{"bid":{"fg":"re')
  const read = themes.read()
  expect(read.themes).toMatchObject([{ name: 'mine', tones: { bid: { fg: '#123456' } } }])
  expect(read.complaints[0]).toMatch(/a\.json: is not JSON: .*Theme unchanged\.$/)
  rmSync(path)
  expect(themes.read()).toEqual({ themes: [], complaints: [] })
})

test('the wished theme is one there is, or the sentence names them and what is wrong with one’s own', () => {
  const own: OwnThemes = { themes: [], complaints: ['/t/mine.json: is not JSON'] }
  expect(wishedTheme(null, own)).toMatchObject({ ok: true, value: { theme: 'auto' } })
  expect(wishedTheme('ligth', own)).toEqual({
    ok: false,
    error:
      'unknown theme "ligth", did you mean "light"? (there are auto, dark, light, high-contrast, colour-blind-safe, mono). /t/mine.json: is not JSON.',
  })
})

test('many changes in a moment are one reading, after it has been quiet', async () => {
  const clock = new FakeClock()
  const readings: number[] = []
  let change = () => {}
  const stop = new AbortController()
  const folder = { read: () => ({ themes: [], complaints: [] }) }
  watchThemeFolder('/t', folder, {
    clock,
    signal: stop.signal,
    onRead: () => readings.push(clock.now()),
    listen: (_folder, onChange) => {
      change = onChange
    },
  })
  const startMs = clock.now()
  change()
  await clock.advance(150)
  change()
  await clock.advance(150)
  expect(readings).toEqual([])
  await clock.advance(50)
  expect(readings).toEqual([startMs + 350])
  change()
  stop.abort()
  await clock.advance(1_000)
  await settle()
  expect(readings).toHaveLength(1)
})

test('a save in a real folder is heard', async () => {
  const folder = tempFolder()
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const heard: OwnThemes[] = []
  const options = { clock: systemClock, signal: stop.signal, onRead: (own: OwnThemes) => heard.push(own) }
  watchThemeFolder(folder, createThemeFolder(folder), options)
  writeFileSync(join(folder, 'a.json'), theme('mine'))
  await eventually(() => expect(heard.at(-1)?.themes).toMatchObject([{ name: 'mine' }]))
})

test('a folder that is made later is heard as well, and one that is taken away and made again', async () => {
  const home = tempFolder()
  const folder = join(home, 'config', 'themes')
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const heard: OwnThemes[] = []
  const options = { clock: systemClock, signal: stop.signal, onRead: (own: OwnThemes) => heard.push(own) }
  const names = () => heard.at(-1)?.themes.map(({ name }) => name)
  watchThemeFolder(folder, createThemeFolder(folder), options)
  for (const name of ['first', 'second']) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'a.json'), theme(name))
    await eventually(() => expect(names()).toEqual([name]))
    writeFileSync(join(folder, 'b.json'), theme(`${name}-b`))
    await eventually(() => expect(names()).toEqual([name, `${name}-b`]))
    rmSync(join(home, 'config'), { recursive: true })
    await eventually(() => expect(names()).toEqual([]))
  }
})
