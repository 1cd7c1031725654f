import { readBaseAddress } from '../api/base-address.ts'
import type { Clock } from '../base/clock.ts'
import { ok } from '../base/result.ts'
import { Secret } from '../base/secret.ts'
import type { PracticeDoor } from '../compose/practice-door.ts'
import { fieldsOf } from '../domain/desk/practice-verb.ts'
import type { Sandbox } from '../sandbox/start-sandbox.ts'
import { readAdminAnswer } from './sandbox-admin-answer.ts'
import { callAdmin } from './sandbox-admin-call.ts'
import { adminTable } from './sandbox-admin-table.ts'
import { answerWords } from './sandbox-admin-words.ts'

/**
 * The administration of a practice exchange that this process runs, for the desk on it: every verb of `pitdesk sandbox
 * admin`.
 */
export function openPracticeDoor(sandbox: Sandbox, clock: Clock): PracticeDoor {
  const token = new Secret(sandbox.adminToken)
  return {
    verbs: adminTable,
    accounts: sandbox.accounts.map(({ name }) => name),
    async carryOut({ verb, given }, signal) {
      const base = readBaseAddress(sandbox.adminUrl)
      if (!base.ok) return base
      const target = { base: base.value, token }
      const answered = await callAdmin({ row: verb, fields: fieldsOf(given), target, clock, signal })
      if (!answered.ok) return answered
      const answer = readAdminAnswer(answered.value)
      return answer.ok ? ok(answerWords(answer.value)) : answer
    },
  }
}
