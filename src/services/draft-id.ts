/** Letters and digits that a person can read out and type without mistaking one for another. */
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz'
const length = 12

/**
 * Makes the ids of drafts: 12 characters, over 59 bits of chance. Should two ever meet, the second is held back,
 * because the journal knows the first: no money is sent for it.
 */
export function createDraftIds(randomBytes: (count: number) => Uint8Array): () => string {
  const fair = 256 - (256 % alphabet.length)
  return () => {
    let id = ''
    while (id.length < length) {
      for (const byte of randomBytes(length)) {
        if (byte < fair && id.length < length) id += alphabet[byte % alphabet.length]
      }
    }
    return id
  }
}
