import { globSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

const { longest }: { longest: string[] } = await import(pathToFileURL('.tools/longest-tests.mjs').href)

test('every file that is to begin first is there, and named once', () => {
  const there = new Set(globSync('test/**/*.test.{ts,tsx}').map((path) => path.replace(/^test\/|\.test\.tsx?$/g, '')))
  expect(longest.filter((file) => !there.has(file))).toEqual([])
  expect(longest).toHaveLength(new Set(longest).size)
})
