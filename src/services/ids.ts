import { createRandomIds } from '../base/random-id.ts'

const orderIdAlphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * Makes client order ids: 20 characters of 0-9A-Za-z, the most the service takes, over 119 bits of chance.
 * `randomBytes` must be cryptographic, so that ids of desks on other machines never meet.
 */
export const createClientOrderIds = (randomBytes: (count: number) => Uint8Array): (() => string) =>
  createRandomIds(orderIdAlphabet, 20, randomBytes)

/** Letters and digits that a person can read out and type without mistaking one for another. */
const draftIdAlphabet = '23456789abcdefghjkmnpqrstuvwxyz'

/**
 * Makes the ids of drafts: 12 characters, over 59 bits of chance. Should two ever meet, the second is held back,
 * because the journal knows the first: no money is sent for it.
 */
export const createDraftIds = (randomBytes: (count: number) => Uint8Array): (() => string) =>
  createRandomIds(draftIdAlphabet, 12, randomBytes)
