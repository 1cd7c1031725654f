import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { renderToString, Text } from 'ink'
import { expect, test } from 'vitest'

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
