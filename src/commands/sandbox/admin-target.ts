import { connect } from 'node:net'
import { isLoopback, readBaseAddress } from '../../api/base-address.ts'
import type { Environment } from '../../base/environment.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { readSecret } from '../../base/secret.ts'
import type { AdminTarget } from '../../desk/practice-admin.ts'
import { type AdminNote, readAdminNotes, removeNote } from '../../sandbox/admin/admin-note.ts'

/**
 * The exchange that is meant: the one on `adminPort`, else the one the environment names, else the only one of this
 * user that runs. Notes of exchanges that are gone are removed on the way.
 */
export async function findAdmin(environment: Environment, adminPort: number | null): Promise<Result<AdminTarget>> {
  const { PITDESK_ADMIN_URL: url = '', PITDESK_ADMIN_TOKEN: token = '' } = environment
  if (adminPort === null && (url !== '' || token !== '')) return fromEnvironment(url, token)
  const live = await liveNotes(environment)
  const [note, another] = adminPort === null ? live : live.filter((each) => each.adminPort === adminPort)
  if (note !== undefined && another === undefined) return toTarget(note, { url: note.path, token: note.path })
  const choice = live.map((each) => `--admin-port ${each.adminPort} (process ${each.pid})`).join(' or ')
  if (live.length === 0)
    return err('no practice exchange is running: start one with "pitdesk sandbox", or open a desk on one')
  return adminPort === null
    ? err(`${live.length} practice exchanges are running: choose ${choice}`)
    : err(`no practice exchange has its administration on port ${adminPort}: there is ${choice}`)
}

function fromEnvironment(url: string, token: string): Result<AdminTarget> {
  if (url === '' || token === '') {
    const missing = url === '' ? 'PITDESK_ADMIN_URL' : 'PITDESK_ADMIN_TOKEN'
    return err(`${missing} is not set: PITDESK_ADMIN_URL and PITDESK_ADMIN_TOKEN go together`)
  }
  return toTarget({ adminUrl: url, adminToken: token }, { url: 'PITDESK_ADMIN_URL', token: 'PITDESK_ADMIN_TOKEN' })
}

/** `sources`: where address and token come from, for what is said when one of them is no good. */
function toTarget(
  { adminUrl, adminToken }: Pick<AdminNote, 'adminUrl' | 'adminToken'>,
  sources: { url: string; token: string },
): Result<AdminTarget> {
  const base = readBaseAddress(adminUrl)
  if (!base.ok) return err(`${sources.url}: ${base.error}`)
  if (!isLoopback(new URL(base.value.origin).hostname)) {
    return err(`${sources.url}: an exchange is administered from its own machine only, and this address is another's`)
  }
  const token = readSecret(adminToken)
  return token.ok ? ok({ base: base.value, token: token.value }) : err(`${sources.token}: ${token.error}`)
}

async function liveNotes(environment: Environment): Promise<AdminNote[]> {
  const notes = await Promise.all(
    readAdminNotes(environment).map(async (note) => {
      if (isRunning(note.pid) && (await isListening(note.adminPort))) return note
      removeNote(note)
      return null
    }),
  )
  return notes.filter((note) => note !== null)
}

/** Whether there is a process of this number; one that belongs to somebody else is one too. */
function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid < 1) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Whether anybody takes connections at this port of the loopback address. */
const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    const end = (isThere: boolean) => {
      socket.destroy()
      resolve(isThere)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })
