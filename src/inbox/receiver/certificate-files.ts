import { createPrivateKey, X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import type { Clock } from '../../base/clock.ts'
import { type OwnFileRule, readOwnFile } from '../../base/own-file.ts'
import { plainText } from '../../base/plain-text.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { dayMs } from '../../base/time-text.ts'

/** PEM texts; the chain's own certificate first. */
export type CertificatePair = { readonly cert: string; readonly key: string }
export type CertificatePaths = { readonly certPath: string; readonly keyPath: string }

const bytesMost = 1_048_576

/**
 * Reads a certificate and its key, and makes sure that they belong together. A key that others can read, or a file that
 * they can change, is not used. The sentence never repeats what is in the files.
 */
export function readCertificatePair({ certPath, keyPath }: CertificatePaths): Result<CertificatePair> {
  const cert = read(certPath, 'trusted')
  if (!cert.ok) return cert
  const key = read(keyPath, 'shared secret')
  if (!key.ok) return key
  const wrong = complaint(cert.value, key.value)
  return wrong === null
    ? ok({ cert: cert.value, key: key.value })
    : err(`${plainText(certPath)} and ${plainText(keyPath)} ${wrong}`)
}

function read(path: string, rule: OwnFileRule): Result<string> {
  const text = readOwnFile(path, { rule, bytesMost })
  if (text.ok && text.value !== null) return ok(text.value)
  return err(`${plainText(path)} ${text.ok ? 'does not exist' : text.error}`)
}

/** What keeps a pair from being used, to follow the names of its files; null when nothing does. */
function complaint(cert: string, key: string): string | null {
  try {
    if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) return 'do not belong together'
    createSecureContext({ cert, key })
    return null
  } catch {
    return 'are not a certificate and key in PEM form (a key with a passphrase is not accepted)'
  }
}

/** When a certificate is valid no longer, in ms since 1970. */
const expiryMs = ({ cert }: CertificatePair): number => Date.parse(new X509Certificate(cert).validTo)

export type WatchOptions = {
  paths: CertificatePaths
  current: CertificatePair
  clock: Clock
  signal: AbortSignal
  /** Given each new pair that is good; what it throws is reported, and the pair counts as bad. */
  use: (pair: CertificatePair) => void
  log: (line: string) => void
}

const lookMs = 5_000
const soonMs = 14 * dayMs
const remindMs = dayMs

/**
 * Looks at the files again and again until `signal`, and hands on each new pair. While they are half exchanged, or
 * wrong, the last good pair goes on, and that is reported once. Looking beats being notified here: links that are
 * exchanged as a whole fire no event.
 */
export async function watchCertificate({ paths, current, clock, signal, use, log }: WatchOptions): Promise<void> {
  let inUse = current
  let told: string | null = null
  let remindedAtMs = Number.NEGATIVE_INFINITY
  for (;;) {
    const leftMs = expiryMs(inUse) - clock.wallMs()
    if (leftMs < soonMs && clock.now() - remindedAtMs >= remindMs) {
      remindedAtMs = clock.now()
      log(`tls: the certificate ${leftMs <= 0 ? 'has expired' : `expires in ${Math.floor(leftMs / dayMs)} days`}`)
    }
    await clock.sleep(lookMs, signal)
    if (signal.aborted) return
    const found = taken(paths, inUse, use)
    if (found.ok) {
      if (found.value !== inUse) log('tls: a new certificate is in use')
      inUse = found.value
      told = null
    } else if (found.error !== told) {
      told = found.error
      log(`tls: ${told}; the last good certificate stays in use`)
    }
  }
}

/** The pair to go on with: the same one, or a new one that is in use from now on. */
function taken(
  paths: CertificatePaths,
  inUse: CertificatePair,
  use: (pair: CertificatePair) => void,
): Result<CertificatePair> {
  const read = readCertificatePair(paths)
  if (!read.ok || (read.value.cert === inUse.cert && read.value.key === inUse.key)) return read.ok ? ok(inUse) : read
  try {
    use(read.value)
    return read
  } catch (error) {
    return err(`the new certificate cannot be used: ${plainText(String(error))}`)
  }
}
