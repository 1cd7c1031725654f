import { writeError } from '../../wire/error.ts'
import type { Refusal } from '../core/types.ts'

/** What goes back to the client. `body` null sends none; otherwise it is JSON text. */
export type Answer = { status: number; body: string | null; headers?: Readonly<Record<string, string>> }

export const json = (body: string): Answer => ({ status: 200, body })
export const nothing: Answer = { status: 200, body: null }
export const notFound: Answer = { status: 404, body: null }

/** An answer with the reason in its body. */
export const failure = (status: number, error: string, headers?: Readonly<Record<string, string>>): Answer => ({
  status,
  body: writeError(error),
  ...(headers === undefined ? {} : { headers }),
})
export const badRequest = (error: string): Answer => failure(400, error)

/** A command that was not carried out, as an answer. The field at fault is always named. */
export function refusal(refused: Refusal): Answer {
  switch (refused.kind) {
    case 'invalid': {
      const names = refused.message.includes(refused.field)
      return badRequest(names ? refused.message : `field "${refused.field}": ${refused.message}`)
    }
    case 'notFound':
      return failure(404, refused.message)
    case 'conflict':
      return failure(409, refused.message)
    case 'forbidden':
      return failure(403, refused.message)
  }
}
