/** True when a process with this id exists, also one of another user. */
export function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid < 1) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
