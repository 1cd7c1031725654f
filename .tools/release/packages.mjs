// The packages whose code is in the bundle: what they are called, under which licence, and where their sums are.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const lock = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8'))

/** Packages by their folders, one for each name and version. Throws for one that the lock file does not know. */
export function packagesIn(folders) {
  const found = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(`${folder}package.json`, 'utf8'))
    const path = folder.slice(folder.indexOf('node_modules/')).replace(/\/$/, '')
    const { integrity } = lock.packages[path] ?? {}
    if (integrity === undefined) throw new Error(`${name} ${version} has no sum in package-lock.json`)
    return { name, version, license, integrity, text: licenceText(folder) }
  })
  const byName = new Map(found.map((each) => [`${each.name}@${each.version}`, each]))
  return [...byName].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => each)
}

/** What a package says of its licence; null where it has no such file. */
function licenceText(folder) {
  const name = readdirSync(folder).find((each) => /^licen[cs]e(\.(md|txt))?$/i.test(each))
  return name === undefined ? null : readFileSync(`${folder}${name}`, 'utf8').replaceAll('\r\n', '\n').trim()
}

/** The licences of all of them, as their authors ask for. */
export const licencesOf = (packages) =>
  [
    'The program contains these packages, each under its own licence.\n',
    ...packages.map(
      ({ name, version, license, text }) =>
        `${'-'.repeat(80)}\n${name} ${version}, ${license}\n\n${text ?? `The package has no file with its licence.`}\n`,
    ),
  ].join('\n')
