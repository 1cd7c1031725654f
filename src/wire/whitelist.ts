import { err, ok, type Result } from '../base/result.ts'
import type { Listing } from '../domain/listing.ts'
import type { WhitelistEntry } from '../domain/transfers/transfer.ts'
import { optionalText } from './fields.ts'
import { writeJson } from './json-write.ts'
import { anyList, readEntries } from './listing.ts'
import { mapResult, message, readMessage } from './message.ts'

/** WhitelistEntry. */
export const whitelistEntryMessage = message({
  whitelistId: optionalText,
  name: optionalText,
  currency: optionalText,
})

/** Reads the whitelist. Nothing can be sent to an entry without an id. */
export const readWhitelist = (json: string): Result<Listing<WhitelistEntry>> =>
  mapResult(readMessage(anyList, json), (values) =>
    readEntries(values, whitelistEntryMessage, ({ whitelistId, name, currency }) =>
      whitelistId === null ? err('field "whitelistId" is missing') : ok({ whitelistId, name: name ?? '', currency }),
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
