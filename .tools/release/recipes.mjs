// How other package managers get the release: a Homebrew formula and a Nix flake, each with the sum of the tarball.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What may stand in a string of Ruby and of Nix as it is. */
const isPlain = (text) => /^[\w:/.+=-]+$/.test(text)

/** Writes `pitdesk.rb` and `flake.nix` for the tarball in `out`, which will be found in the folder at `url`. */
export function writeRecipes(out, { tarball, version, url }) {
  const folder = new URL(url.endsWith('/') ? url : `${url}/`).href
  const sum = createHash('sha256')
    .update(readFileSync(join(out, tarball)))
    .digest()
  const values = {
    ...{ homepage: folder, url: `${folder}${tarball}`, version },
    ...{ sha256: sum.toString('hex'), sri: `sha256-${sum.toString('base64')}` },
  }
  const odd = Object.values(values).find((value) => !isPlain(value))
  if (odd !== undefined) throw new Error(`${odd} cannot stand in a formula as it is`)
  for (const [template, name] of [
    ['formula.rb', 'pitdesk.rb'],
    ['flake.nix', 'flake.nix'],
  ]) {
    const text = readFileSync(new URL(template, import.meta.url), 'utf8')
    writeFileSync(
      join(out, name),
      text.replace(/@(\w+)@/g, (_, each) => values[each] ?? `@${each}@`),
    )
  }
}
