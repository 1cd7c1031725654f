import { z } from 'zod'
import type { Result } from '../domain/result.ts'
import type { WhitelistEntry } from '../domain/transfer.ts'
import { optionalText } from './fields.ts'
import { writeJson } from './json-write.ts'
import { mapResult, message, readMessage } from './message.ts'

/** WhitelistEntry. */
export const whitelistEntryMessage = message({
  whitelistId: optionalText,
  name: optionalText,
  currency: optionalText,
})

/** Reads the whitelist. An entry without an id is left out: nothing could be sent to it. */
export const readWhitelist = (json: string): Result<WhitelistEntry[]> =>
  mapResult(readMessage(z.array(whitelistEntryMessage), json), (list) =>
    list.flatMap(({ whitelistId, name, currency }) =>
      whitelistId === null ? [] : [{ whitelistId, name: name ?? '', currency }],
    ),
  )

export const writeWhitelist = (entries: readonly WhitelistEntry[]): string =>
  writeJson(
    entries.map(({ whitelistId, name, currency }) => ({
      whitelistId,
      name,
      currency,
    })),
    'numbers',
  )
