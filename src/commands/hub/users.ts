import type { CommandIo } from '../../base/process/command-io.ts'
import { leadsNowhere } from '../../base/process/output.ts'
import { plainText } from '../../base/text/plain-text.ts'
import { hourMs, utcText } from '../../base/text/time-text.ts'
import { effectiveLimits, noPersonLimits } from '../../domain/hub/person-limits.ts'
import { may, type Role, roles } from '../../domain/hub/roles.ts'
import {
  addPerson,
  type ListedPerson,
  leftBehind,
  listPersons,
  type NewToken,
  readPersonName,
  revokePerson,
  roleLimits,
  rotateToken,
  usualOverlapMs,
} from '../../hub/people/people.ts'
import { jsonLine } from '../../wire/json-pieces.ts'
import type { Arguments } from '../cli/arguments.ts'
import type { Run } from '../cli/command.ts'
import { done, type Ending, type Fields, failed, failure, wrongUsage } from '../cli/exit-codes.ts'
import { formOf, list, printReading, text, time } from '../cli/output.ts'
import { confirmed, consentOf } from '../cli/prompt.ts'
import { limitColumns, limitFields } from './limits.ts'
import { commandUser, nameOf, withHubStore } from './store.ts'

const nobodyReads = 'stdout leads nowhere, and the token is shown nowhere else: nothing was done'

/** Adds a person, and prints their token. */
export const runUserAdd: Run = async (given, io, tools) => {
  const name = nameOf(given, readPersonName, 'hub user add ada --role trader')
  if (!name.ok) return wrongUsage(name.error)
  const role = roles.find((each) => each === given.value('role'))
  if (role === undefined) return wrongUsage(`--role is missing: ${roles.join(', ')}`)
  if (leadsNowhere(io.stdout)) return failed(nobodyReads)
  return withHubStore(given, { io, tools }, { isChange: true, makesHub: true }, async ({ pool }) => {
    const made = await addPerson(pool, { name: name.value, role, by: commandUser() }, tools.randomBytes)
    if (!made.ok) return failed(made.error)
    const did = made.value.wasRevoked
      ? `${made.value.name} is back as ${role}, with the limits of before`
      : `${made.value.name} is added as ${role}`
    return handOver(made.value, did, given, io)
  })
}

/** Gives a person a new token, and prints it. */
export const runUserRotate: Run = async (given, io, tools) => {
  const name = nameOf(given, readPersonName, 'hub user rotate ada')
  if (!name.ok) return wrongUsage(name.error)
  const hours = given.number('overlap-h')
  if (given.has('now') && hours !== undefined) return wrongUsage('use --now or --overlap-h, not both')
  if (leadsNowhere(io.stdout)) return failed(nobodyReads)
  const overlapMs = given.has('now') ? 0 : hours === undefined ? usualOverlapMs : hours * hourMs
  return withHubStore(given, { io, tools }, { isChange: true }, async ({ pool }) => {
    const made = await rotateToken(pool, { name: name.value, overlapMs, by: commandUser() }, tools.randomBytes)
    if (!made.ok) return failed(made.error)
    const { oldUntilMs } = made.value
    const old = oldUntilMs === null ? 'the old one has ended' : `the old one is valid until ${utcText(oldUntilMs)}`
    return handOver(made.value, `${made.value.name} has a new token, ${old}`, given, io)
  })
}

/**
 * Prints only the token on stdout, and reports whether it arrived, because it can never be shown again. The change
 * itself is on record, whatever happens to the output.
 */
async function handOver(made: NewToken, did: string, given: Arguments, io: CommandIo): Promise<Ending> {
  const { name, role, token } = made
  const lost = `${did}, but the token may not have been handed over`
  const again = `pitdesk hub user rotate ${name} --now gives another.`
  await io.print(given.has('json') ? jsonLine({ name, role, token: token.reveal() }) : token.reveal())
  const reason = await io.output.written()
  // For other commands a reader may leave early; here the token would be lost.
  if (reason === null && io.output.unread.aborted)
    return failure('failed', `${lost}: nobody read stdout`, { todo: again })
  // The end of the program reports a full disk, with `did` after it.
  if (reason === null) io.printError(plainText(`${did}. The token is shown this once: keep it like a key.`))
  return { ...done, did: `${lost}: ${again}` }
}

/** Ends every token of a person. */
export const runUserRevoke: Run = async (given, io, tools) => {
  const name = nameOf(given, readPersonName, 'hub user revoke ada')
  if (!name.ok) return wrongUsage(name.error)
  const consent = consentOf(given, io, 'revoke')
  if (!consent.ok) return wrongUsage(consent.error)
  const question = `Revoke ${name.value}? Every token of theirs ends at once. Type yes:`
  if (!(await confirmed(consent.value, io, { question, isYes: (typed) => typed === 'yes' })))
    return failure('notSent', 'not confirmed: no one was revoked.')
  return withHubStore(given, { io, tools }, { isChange: true }, async ({ pool }) => {
    const revoked = await revokePerson(pool, { name: name.value, by: commandUser() })
    if (!revoked.ok) return failed(revoked.error)
    const did = `${revoked.value} is revoked`
    const left = await leftBehind(pool, revoked.value)
    await io.print(given.has('json') ? jsonLine({ name: revoked.value, state: 'revoked' }) : `${did}.`)
    if (left !== null) for (const sentence of leftSentences(revoked.value, left)) io.printError(sentence)
    return { ...done, did }
  })
}

/** The orders and plans that a revoked person leaves, and who can end them: revoking cancels nothing. */
function leftSentences(name: string, { role, planIds }: { role: Role; planIds: readonly string[] }): string[] {
  const [first] = planIds
  const orders = `Orders of ${name} go on working: any trader cancels them, and the exchange itself.`
  const many = planIds.length === 1 ? `Plan ${first} of ${name} goes` : `Plans ${planIds.join(', ')} of ${name} go`
  return [
    ...(may(role, 'placeOrder') || first !== undefined ? [orders] : []),
    ...(first === undefined
      ? []
      : [
          `${many} on protecting; an entry that rests may fill, none is placed: ` +
            `an admin ends it with pitdesk plan cancel ${first}.`,
        ]),
  ]
}

const columns = [
  text('name', 'NAME'),
  text('role', 'ROLE'),
  text('state', 'STATE'),
  ...limitColumns,
  time('addedAt', 'ADDED', 3),
  time('tokenMadeAt', 'TOKEN OF', 2),
  time('oldTokenUntil', 'OLD TOKEN UNTIL', 1),
  time('revokedAt', 'REVOKED', 2),
]

function personFields(person: ListedPerson, ofRoles: Awaited<ReturnType<typeof roleLimits>>): Fields {
  const { name, role, ownLimits, addedAtMs: addedAt, revokedAtMs: revokedAt } = person
  const counting = effectiveLimits(ownLimits, ofRoles.get(role) ?? noPersonLimits)
  return {
    ...{ name, role, state: revokedAt === null ? 'active' : 'revoked' },
    ...limitFields(counting, ownLimits),
    ...{ addedAt, tokenMadeAt: person.tokenMadeAtMs, oldTokenUntil: person.oldUntilMs, revokedAt },
  }
}

/** Lists all persons, including revoked ones. */
export const runUserList: Run = (given, io, tools) =>
  withHubStore(given, { io, tools }, { isChange: false }, async ({ pool }) => {
    const ofRoles = await roleLimits(pool)
    const rows = (await listPersons(pool)).map((person) => personFields(person, ofRoles))
    const none = 'Nobody yet: pitdesk hub user add NAME --role ROLE.'
    await printReading(list(rows, none), columns, formOf(given, io.stdout), io)
    return done
  })
