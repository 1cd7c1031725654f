// The pages of the manual: Markdown that the program has inside as text, and man pages that are made of it.

import { mkdir, readFile, writeFile } from 'node:fs/promises'
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

/** Writes the man pages into `folder`. They are made by the sources themselves, from the table of commands and the pages. */
export async function buildManPages(folder, programInput) {
  const bundle = await rolldown({ ...programInput, input: `${root}src/commands/man-pages.ts` })
  const made = `${root}.cache/man/${process.pid}`
  await bundle.write({ dir: made, entryFileNames: 'man-pages.mjs', format: 'esm' })
  const { manPages } = await import(pathToFileURL(`${made}/man-pages.mjs`).href)
  const { version } = JSON.parse(await readFile(`${root}package.json`, 'utf8'))
  await mkdir(folder, { recursive: true })
  for (const [name, text] of manPages(version)) await writeFile(`${folder}/${name}`, text)
}
