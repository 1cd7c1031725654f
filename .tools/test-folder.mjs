// Where tests keep their files. Thousands of homes, journals and databases are made and thrown away again: on a disk
// that is a third of the whole run, most of it looking for free inodes and waiting for what nobody reads again.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'

/** The file system in memory that Linux machines have. */
const memory = '/dev/shm'
/** A whole run keeps less than a quarter of this at any time. */
const roomBytes = 4 * 1024 ** 3

/** Both the file system and the machine, or the container, have room; what is in one takes from the other. */
function hasRoom() {
  try {
    accessSync(memory, constants.W_OK)
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize >= roomBytes && process.availableMemory() >= roomBytes
  } catch {
    return false
  }
}

/** Whether what is written to the folder may be started: databases and scripts of tests are. */
function startsPrograms(folder) {
  const program = `${folder}/program`
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
  const { status } = spawnSync(program)
  rmSync(program)
  return status === 0
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code !== 'ESRCH'
  }
}

/** Takes a folder away, also where a test that was killed has left a small disk mounted in it. */
function remove(folder) {
  const mounted = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((path) => path.startsWith(`${folder}/`))
  for (const path of mounted.toReversed()) spawnSync('umount', ['-l', path])
  rmSync(folder, { recursive: true, force: true })
}

/** Takes away what a run that was killed has left: it would keep the memory until the machine is started again. */
function sweep() {
  for (const name of readdirSync(memory)) {
    const pid = Number(/^pitdesk-(\d+)$/.exec(name)?.[1])
    // In containers numbers come again soon: under this process's own one lies what an earlier run has left.
    const isLeft = pid === process.pid || (pid > 0 && !isAlive(pid))
    if (isLeft) remove(`${memory}/${name}`)
  }
}

/**
 * Makes the folder of temporary files of this process, and of those it starts, one in memory. Returns what takes it
 * away. Nothing changes where the machine has no such room, or the variable `TMPDIR` says where.
 */
export function keepFilesInMemory() {
  if (process.env.TMPDIR !== undefined || !hasRoom()) return () => {}
  sweep()
  const folder = `${memory}/pitdesk-${process.pid}`
  mkdirSync(folder, { mode: 0o755 })
  if (!startsPrograms(folder)) {
    remove(folder)
    return () => {}
  }
  process.env.TMPDIR = folder
  return () => remove(folder)
}
