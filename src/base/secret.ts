import { err, ok, type Result } from './result.ts'

const mask = '•••'

/** A key to a service. However it is printed, logged, inspected or made JSON of, it shows as `•••`. */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  /** The key itself, for the one place that sends it. */
  reveal(): string {
    return this.#value
  }

  /** `text` with every copy of the key masked: for words that come back from a service. */
  redact(text: string): string {
    return this.#value === '' ? text : text.replaceAll(this.#value, mask)
  }

  toString(): string {
    return mask
  }

  toJSON(): string {
    return mask
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return mask
  }
}

/** Reads a key as a file, a command or the environment gives it: spaces and line ends around it are no part of it. */
export function readSecret(text: string): Result<Secret> {
  const value = text.trim()
  if (value === '') return err('the key is empty')
  return /^[\x21-\x7e]+$/.test(value)
    ? ok(new Secret(value))
    : err('the key has characters that cannot stand in a request header: is it the whole file, or more than one line?')
}
