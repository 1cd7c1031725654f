import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename } from 'node:path'
import { onTestFinished, vi } from 'vitest'

/**
 * What the disk is asked from here on until the test is over, in its order, such as `sync NAME`; what `refuses` is true
 * for it does not do, and says that it fails, by `code`. Files that are held open with a promise each are not among it.
 */
export function diskCalls(refuses: (call: string) => boolean = () => false, code = 'EIO'): string[] {
  const calls: string[] = []
  const names = new Map<number, string>()
  const ask = (what: string, path: unknown) => {
    const call = `${what} ${basename(String(path))}`
    calls.push(call)
    if (refuses(call)) throw Object.assign(new Error(call), { code })
  }
  const { openSync, fsyncSync, renameSync, rmSync } = fs
  const spies = [
    vi.spyOn(fs, 'openSync').mockImplementation((path, ...more) => {
      const file = openSync(path, ...more)
      names.set(file, basename(String(path)))
      return file
    }),
    vi.spyOn(fs, 'fsyncSync').mockImplementation((file) => {
      ask('sync', names.get(file))
      fsyncSync(file)
    }),
    vi.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
      ask('name', to)
      renameSync(from, to)
    }),
    vi.spyOn(fs, 'rmSync').mockImplementation((path, options) => {
      ask('remove', path)
      rmSync(path, options)
    }),
  ]
  syncBuiltinESMExports()
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore()
    syncBuiltinESMExports()
  })
  return calls
}

/** How many files this process has open, as its system lists them. */
export const openFileCount = (): number => fs.readdirSync('/dev/fd').length
