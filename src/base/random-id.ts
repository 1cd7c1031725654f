/** Makes ids of `length` characters, each of the `alphabet` (at most 256) equally likely. */
export function createRandomIds(
  alphabet: string,
  length: number,
  randomBytes: (count: number) => Uint8Array,
): () => string {
  // Bytes past the last whole multiple of the alphabet are left out: the first characters would be likelier.
  const fair = 256 - (256 % alphabet.length)
  return () => {
    let id = ''
    while (id.length < length) {
      for (const byte of randomBytes(length))
        if (byte < fair && id.length < length) id += alphabet[byte % alphabet.length]
    }
    return id
  }
}
