import { readdirSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { buildTestProgram, testProgram } from '../../.tools/test-builds.mjs'

const { plainComments } = (await import(pathToFileURL('.tools/ascii.mjs').href)) as {
  plainComments: (code: string) => string
}

test('names in comments on licences become ASCII, and the code and its columns stay as they are', () => {
  const code = 'const a = 1; /*! (c) Jörg Ångström, 木 */ const b = 2\n//! Héctor\nconst c = "//! \\u00e9"\n'
  expect(plainComments(code)).toBe(
    'const a = 1; /*! (c) Jorg Angstrom, ? */ const b = 2\n//! Hector\nconst c = "//! \\u00e9"\n',
  )
})

test('a letter that is left in the code itself ends the build', () => {
  expect(() => plainComments('const dash = String.raw`—`')).toThrow('not ASCII')
})

test('every file of the program is ASCII', async () => {
  await buildTestProgram()
  const files = readdirSync(testProgram).filter((name) => name.endsWith('.js'))
  expect(files.length).toBeGreaterThan(10)
  for (const name of files) expect([...readFileSync(`${testProgram}/${name}`)].every((byte) => byte < 0x80)).toBe(true)
})
