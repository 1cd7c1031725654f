import { hostname, userInfo } from 'node:os'
import { err, ok, type Result } from '../../base/result.ts'
import type { Secret } from '../../base/secret.ts'
import { errorText } from '../../base/text/error-text.ts'
import { plainText, withoutStop } from '../../base/text/plain-text.ts'
import { readHubSettings } from '../../config/settings.ts'
import { namedElsewhere, readStoreAddress, type StoreFault, type StoreTools } from '../../desk/gateway/store-address.ts'
import { openHubDatabase } from '../../hub/open-hub-database.ts'
import { type HubDatabase, isStoreFailure } from '../../hub/store/database.ts'
import type { Arguments } from '../cli/arguments.ts'
import { type Ending, failure } from '../cli/exit-codes.ts'

/** The address of the hub's store: as typed, by variable or file; there is no default. */
export async function hubStoreAddress(given: Arguments, context: StoreTools): Promise<Result<Secret, StoreFault>> {
  const settings = readHubSettings(context.io.environment)
  if (!settings.ok) return err({ kind: 'failed', sentence: settings.error })
  const none = {
    kind: 'usage',
    sentence: `which hub? use --store postgres://host/database, or ${namedElsewhere('hub')}`,
  }
  return readStoreAddress(
    {
      ...{ typed: given.value('store'), source: settings.value.store, section: 'hub' },
      standard: () => err({ ...none, kind: 'usage' }),
    },
    context,
  )
}

/** After a failed change: it may have been done before the answer was lost. */
const mayBeDone = 'It may or may not have been done: pitdesk hub user list and pitdesk hub audit tell.'

type StoreWork = {
  isChange: boolean
  makesHub?: boolean
  undone?: { word: string; todo: string; unnamed: string }
}

/**
 * Runs with the hub's store, and closes it afterwards. Errors are reported without the address; `isChange` if it
 * writes; `makesHub` if it may create the hub's tables; `undone`: the first words of the error and the remedy, when the
 * store cannot be opened or is not named.
 */
export async function withHubStore(
  given: Arguments,
  context: StoreTools,
  { isChange, makesHub = false, undone }: StoreWork,
  use: (database: HubDatabase) => Promise<Ending>,
): Promise<Ending> {
  const address = await hubStoreAddress(given, context)
  const first = undone === undefined ? '' : `${undone.word}: `
  if (!address.ok) {
    const todo = undone === undefined ? {} : { todo: undone.unnamed }
    return failure(address.error.kind, `${first}${address.error.sentence}`, todo)
  }
  const secret = address.value
  const place = { url: secret.reveal(), clock: context.tools.clock, connectionsMax: 1, makesTables: makesHub }
  const opened = await openHubDatabase(place)
  if (!opened.ok) {
    const todo = undone === undefined ? {} : { todo: undone.todo }
    return failure('failed', `${first}${plainText(secret.redact(opened.error))}`, todo)
  }
  try {
    return await use(opened.value)
  } catch (error) {
    if (!isStoreFailure(error)) throw error
    const reason = withoutStop(plainText(secret.redact(errorText(error))))
    const sentence = `the hub's store at ${opened.value.shown} failed: ${reason}`
    return failure('failed', sentence, isChange ? { todo: mayBeDone } : {})
  } finally {
    await opened.value.close()
  }
}

/** The user and machine of this command, for the audit list. */
export function commandUser(): string {
  const machine = hostname()
  try {
    return plainText(`${userInfo().username}@${machine}`)
  } catch {
    // A numeric user without a name, as in some containers.
    return plainText(`user ${process.getuid?.() ?? 'unknown'}@${machine}`)
  }
}

/** The name given to a command. The error is wrong usage; `command` is its example. */
export function nameOf(given: Arguments, read: (text: string) => Result<string>, command: string): Result<string> {
  const [name] = given.words
  if (name === undefined) return err(`name missing, e.g. pitdesk ${command}`)
  const readable = read(name)
  return readable.ok ? ok(name) : readable
}
