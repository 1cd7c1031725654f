import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { err, ok, type Result } from '../../../src/base/result.ts'
import type { Version } from './versions.ts'

const run = promisify(execFile)

/** A commit whose files stand in a folder. */
export type CheckedOut = {
  /** The commit in short, as it is called beside every figure. */
  name: string
  /** The day it is of, such as 2026-11-22. */
  day: string
  folder: string
  /** Whether the packages it asks for are those that are installed here. */
  hasSamePackages: boolean
}

const benchFolder = 'test/bench/screen'
/**
 * What benches learned since, put into an older one where it lacks it. The rest is its own: how it reads a tape into
 * objects is how its services hand answers on, which is part of what it costs.
 */
const mends: readonly { file: string; unless: string; puts: readonly (readonly [string, string])[] }[] = [
  {
    file: 'tape.ts',
    unless: "'$bigint' in value",
    puts: [
      [
        "  if ('$decimal' in value)",
        "  if ('$bigint' in value) return BigInt(String(value.$bigint))\n  if ('$decimal' in value)",
      ],
    ],
  },
  {
    file: 'console-child.tsx',
    unless: 'isRealTime',
    puts: ['next', 'prepare'].map((name) => [
      `() => desk.${name}(),`,
      `() => desk.${name}(request.isRealTime === true ? 1_000 / request.perSecond : undefined),`,
    ]),
  },
]

/** Gives the file that a mend found no place in; null when all are in place. */
function mend(folder: string): string | null {
  for (const { file, unless, puts } of mends) {
    const path = join(folder, benchFolder, file)
    let text = readFileSync(path, 'utf8')
    if (text.includes(unless)) continue
    for (const [place, by] of puts) {
      if (text.split(place).length !== 2) return file
      text = text.replace(place, () => by)
    }
    writeFileSync(path, text)
  }
  return null
}

/**
 * Puts the files of a commit of `repository` into `folder`, with the packages that are installed here: nothing is
 * fetched, and neither the repository's own files nor its index are touched.
 */
export function checkOut(commit: string, folder: string, repository = process.cwd()): Result<CheckedOut> {
  const git = (words: readonly string[], index?: string): string =>
    execFileSync('git', [...words], {
      cwd: repository,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...(index === undefined ? {} : { GIT_INDEX_FILE: index }) },
    }).trim()
  let name = ''
  let day = ''
  try {
    const shown = git(['log', '-1', '--format=%h %cs', '--end-of-options', `${commit}^{commit}`])
    ;[name = '', day = ''] = shown.split(' ')
  } catch {
    return err(`git knows no commit "${commit}" here: in a shallow clone, fetch it first`)
  }
  mkdirSync(folder, { recursive: true })
  const index = join(folder, '.index')
  git(['read-tree', name], index)
  git(['checkout-index', '--all', `--prefix=${folder}/`], index)
  const needed = ['console-child.tsx', 'build-child.ts', 'tape.ts'].map((file) => `${benchFolder}/${file}`)
  const lacking = [...needed, '.tools/build.mjs'].find((path) => !existsSync(join(folder, path)))
  if (lacking !== undefined) return err(`${name} has no ${lacking}: this bench cannot measure it`)
  const unmended = mend(folder)
  if (unmended !== null) return err(`${name} plays tapes in a way that is not known here: ${benchFolder}/${unmended}`)
  symlinkSync(realpathSync(join(repository, 'node_modules')), join(folder, 'node_modules'))
  const lockOf = (place: string) => readFileSync(join(place, 'package-lock.json'), 'utf8')
  return ok({ name, day, folder, hasSamePackages: lockOf(folder) === lockOf(repository) })
}

/** Builds a commit with its own tools, in processes of their own: each version bundles and mends packages its way. */
export async function buildBefore({ name, folder }: CheckedOut): Promise<Version> {
  const built = async (script: string): Promise<string> => {
    const argv = ['--input-type=module', '-e', script]
    const { stdout } = await run(process.execPath, argv, { cwd: folder }).catch((error: unknown) => {
      throw new Error(`${name} does not build`, { cause: error })
    })
    return stdout.trim().split('\n').at(-1) ?? ''
  }
  return {
    name,
    consoleProgram: await built(
      `const { buildChild, childProgram } = await import('./${benchFolder}/build-child.ts')
      await buildChild()
      console.log(childProgram)`,
    ),
    buildLauncher: async () => {
      const program = join(folder, '.cache/bench-program')
      await built(`const { build } = await import('./.tools/build.mjs')\nawait build(${JSON.stringify(program)})`)
      return `${program}/pitdesk.js`
    },
  }
}
