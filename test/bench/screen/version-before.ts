import { execFile, execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs'
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
const tapeReader = `${benchFolder}/tape.ts`

/**
 * Puts the files of a commit of `repository` into `folder`, with the packages that are installed here: nothing is
 * fetched, and neither the repository's own files nor its index are touched. A tape is written by today's `tape.ts`, so
 * it is also read by that one: all that it needs of the program is `Decimal`.
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
  const lacking = [`${benchFolder}/console-child.tsx`, `${benchFolder}/build-child.ts`, '.tools/build.mjs'].find(
    (path) => !existsSync(join(folder, path)),
  )
  if (lacking !== undefined) return err(`${name} has no ${lacking}: this bench cannot measure it`)
  copyFileSync(join(repository, tapeReader), join(folder, tapeReader))
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
