import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { rooms as table } from '../rooms.ts'
import { codes } from './pages.ts'

// The maps for whoever changes the program: what they name must be there.

const isPath = (code: string) => /^[\w./-]+\/[\w.-]*$|^[\w-]+\.(ts|tsx|mjs|md)$/.test(code)

test.each([
  ['src/README.md', 'src'],
  ['test/README.md', 'test'],
])('%s names only paths that there are', (page, folder) => {
  const paths = codes(readFileSync(page, 'utf8')).filter((code) => isPath(code) && !/^[a-z]+\/$/.test(code))
  const missing = paths.filter((path) => !existsSync(`${folder}/${path}`) && !existsSync(path))
  expect(missing).toEqual([])
  expect(paths.length).toBeGreaterThan(20)
})

test('the map of the house has every room', () => {
  const house = readFileSync('src/README.md', 'utf8')
  const rooms = readdirSync('src', { withFileTypes: true })
    .filter((entry) => entry.name !== 'README.md')
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
  expect(rooms.filter((room) => !house.includes(`\`${room}\``))).toEqual([])
})

test('the map of the house names all folders of a room that it tells of by folders; a slice is one for itself', () => {
  const house = readFileSync('src/README.md', 'utf8')
  const missing = [...house.matchAll(/^\| `([\w-]+)\/` \| ([^|]+) \|/gm)].flatMap(([, room = '', holds = '']) => {
    const folders = readdirSync(`src/${room}`, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    const named = folders.filter(({ name }) => holds.includes(`\`${name}/\``))
    return room === 'store' || named.length === 0 ? [] : folders.filter((folder) => !named.includes(folder))
  })
  expect(missing.map(({ parentPath, name }) => `${parentPath}/${name}`)).toEqual([])
})

test('the map of the house says of each room what the house test holds it to', () => {
  const house = readFileSync('src/README.md', 'utf8')
  const told = [...house.matchAll(/^\| `([\w-]+)(?:\/|\.tsx)` \| [^|]+ \| ([^|]+) \|$/gm)].map(
    ([, room = '', may = '']) => [room, may === 'nothing' ? [] : may.split(', ').toSorted()] as const,
  )
  const held = Object.entries(table).map(([room, row]) => [room, row.rooms.toSorted()] as const)
  expect(new Map(told)).toEqual(new Map(held))
})

test('the map of the tests has every drill, and benches that there are', () => {
  const [before = '', drills = ''] = readFileSync('test/README.md', 'utf8').split('## Drills')
  const benches = before.split('## Benches')[1] ?? ''
  const named = (text: string) => [...text.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name = '']) => name)
  const list = /const names = \[([^\]]*)\]/.exec(readFileSync('.tools/drill.mjs', 'utf8'))?.[1] ?? ''
  expect(new Set(named(drills))).toEqual(new Set([...list.matchAll(/'([\w-]+)'/g)].map(([, name]) => name)))
  expect(named(benches).filter((name) => !existsSync(`test/bench/${name}.ts`))).toEqual([])
  expect(named(benches).length).toBeGreaterThan(3)
})
