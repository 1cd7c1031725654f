const orderIdAlphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const orderIdLength = 20

/**
 * Makes client order ids: 20 characters of 0-9A-Za-z, the most the service takes, over 119 bits of chance.
 * `randomBytes` must be cryptographic, so that ids of desks on other machines never meet.
 */
export function createClientOrderIds(randomBytes: (count: number) => Uint8Array): () => string {
  return () => {
    let id = ''
    while (id.length < orderIdLength) {
      // Bytes past the last whole multiple of the alphabet are left out: every character is equally likely.
      for (const byte of randomBytes(orderIdLength))
        if (byte < 248 && id.length < orderIdLength) id += orderIdAlphabet[byte % orderIdAlphabet.length]
    }
    return id
  }
}

/** Letters and digits that a person can read out and type without mistaking one for another. */
const draftIdAlphabet = '23456789abcdefghjkmnpqrstuvwxyz'
const draftIdLength = 12

/**
 * Makes the ids of drafts: 12 characters, over 59 bits of chance. Should two ever meet, the second is held back,
 * because the journal knows the first: no money is sent for it.
 */
export function createDraftIds(randomBytes: (count: number) => Uint8Array): () => string {
  const fair = 256 - (256 % draftIdAlphabet.length)
  return () => {
    let id = ''
    while (id.length < draftIdLength) {
      for (const byte of randomBytes(draftIdLength)) {
        if (byte < fair && id.length < draftIdLength) id += draftIdAlphabet[byte % draftIdAlphabet.length]
      }
    }
    return id
  }
}
