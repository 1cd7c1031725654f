import { message } from '../../wire/message.ts'
import { shown, type Verb, verb } from './verb.ts'

/** `POST /reset`: the practice world begins anew; accounts and keys stay. */
export const resetVerb = (reset: () => Promise<void>): Verb =>
  verb('reset', '', message({}), async () => {
    await reset()
    return shown({ reset: true })
  })
