const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const length = 20

/**
 * Makes client order ids: 20 characters of 0-9A-Za-z, the most the service takes, over 119 bits of chance.
 * `randomBytes` must be cryptographic, so that ids of desks on other machines never meet.
 */
export function createClientOrderIds(randomBytes: (count: number) => Uint8Array): () => string {
  return () => {
    let id = ''
    while (id.length < length) {
      // Bytes past the last whole multiple of the alphabet are left out: every character is equally likely.
      for (const byte of randomBytes(length))
        if (byte < 248 && id.length < length) id += alphabet[byte % alphabet.length]
    }
    return id
  }
}
