// The pages of the manual: Markdown that the program has inside as text, and man pages that are made of it.

import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Makes a module of a page, for the bundle and for the tests: its text is what it exports. */
export const manualPlugin = {
  name: 'manual',
  async load(id) {
    if (!id.endsWith('.md')) return null
    return { code: `export default ${JSON.stringify(await readFile(id, 'utf8'))}`, moduleType: 'js', map: null }
  },
}

/** What a command loads when it runs: its man page needs none of it. */
const withoutCommands = {
  name: 'without-commands',
  resolveId: (source, _, { kind }) => (kind === 'dynamic-import' ? { id: source, external: true } : null),
}

/**
 * Writes the man pages into `folder`. They are made by the sources themselves, from the table of commands and the
 * pages.
 */
export async function buildManPages(folder) {
  const bundle = await rolldown({
    input: `${root}src/commands/man-pages.ts`,
    platform: 'node',
    external: [/^[^./]/],
    plugins: [manualPlugin, withoutCommands],
    logLevel: 'warn',
  })
  const made = `${root}.cache/man-pages-${process.pid}.mjs`
  await bundle.write({ file: made, format: 'esm', codeSplitting: false })
  const { manPages } = await import(pathToFileURL(made).href)
  await rm(made)
  const { version } = JSON.parse(await readFile(`${root}package.json`, 'utf8'))
  await mkdir(folder, { recursive: true })
  const pages = manPages(version)
  for (const [name, text] of pages) await writeFile(`${folder}/${name}`, text)
  for (const name of await readdir(folder)) if (!pages.has(name)) await rm(`${folder}/${name}`)
}
