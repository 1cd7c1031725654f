import { createPrivateKey, X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import type { Clock } from '../../base/clock.ts'
import { type OwnFileRule, readOwnFile } from '../../base/files/own-file.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { plainText } from '../../base/text/plain-text.ts'
import { dayMs } from '../../base/text/time-text.ts'

/** PEM texts; the server's own certificate is first in the chain. */
export type CertificatePair = { readonly cert: string; readonly key: string }
export type CertificatePaths = { readonly certPath: string; readonly keyPath: string }

const bytesMax = 1_048_576

/**
 * Reads a certificate and its key, and checks that they match. Refuses a key that others can read, and files that
 * others can change. The error never repeats file contents.
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
  const text = readOwnFile(path, { rule, bytesMax })
  if (text.ok && text.value !== null) return ok(text.value)
  return err(`${plainText(path)} ${text.ok ? 'does not exist' : text.error}`)
}

/** Why a pair is unusable, to follow the names of its files; null when it is usable. */
function complaint(cert: string, key: string): string | null {
  try {
    if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) return 'do not belong together'
    createSecureContext({ cert, key })
    return null
  } catch {
    return 'are not a certificate and key in PEM form (a key with a passphrase is not accepted)'
  }
}

/** Between which times a certificate is valid, in ms since 1970. */
function validity({ cert }: CertificatePair): { fromMs: number; toMs: number } {
  const { validFrom, validTo } = new X509Certificate(cert)
  return { fromMs: Date.parse(validFrom), toMs: Date.parse(validTo) }
}

/** Why nobody accepts the certificate at this time, as a clause; null while it is valid. */
function invalidity(pair: CertificatePair, wallMs: number): string | null {
  const { fromMs, toMs } = validity(pair)
  if (wallMs >= toMs) return 'has expired'
  return wallMs < fromMs ? 'is not valid yet' : null
}

export type WatchOptions = {
  paths: CertificatePaths
  current: CertificatePair
  clock: Clock
  signal: AbortSignal
  /** Receives each new valid pair; when it throws, that is reported and the pair counts as invalid. */
  use: (pair: CertificatePair) => void
  log: (line: string) => void
}

const lookMs = 5_000
const soonMs = 14 * dayMs
const remindMs = dayMs

/**
 * Checks the files regularly until `signal`, and passes on each new pair. While they are partly replaced or invalid, or
 * out of date where the pair in use is not, the last good pair stays in use, and that is reported once. It polls, as
 * replaced links cause no file events.
 */
export async function watchCertificate({ paths, current, clock, signal, use, log }: WatchOptions): Promise<void> {
  let inUse = current
  let told: string | null = null
  let remindedAtMs = Number.NEGATIVE_INFINITY
  for (;;) {
    const wallMs = clock.wallMs()
    const leftMs = validity(inUse).toMs - wallMs
    const invalid = invalidity(inUse, wallMs)
    if ((leftMs < soonMs || invalid !== null) && clock.now() - remindedAtMs >= remindMs) {
      remindedAtMs = clock.now()
      log(`tls: the certificate ${invalid ?? `expires in ${Math.floor(leftMs / dayMs)} days`}`)
    }
    await clock.sleep(lookMs, signal)
    if (signal.aborted) return
    const found = taken(paths, inUse, { wallMs: clock.wallMs(), use })
    if (found.ok) {
      if (found.value !== inUse) {
        log('tls: a new certificate is in use')
        // A reminder of the one before says nothing of this one.
        remindedAtMs = Number.NEGATIVE_INFINITY
      }
      inUse = found.value
      told = null
    } else if (found.error !== told) {
      told = found.error
      log(`tls: ${told}; the last good certificate stays in use`)
    }
  }
}

/** The pair to use from now on: the same one, or a new one after it was put to use. */
function taken(
  paths: CertificatePaths,
  inUse: CertificatePair,
  { wallMs, use }: Pick<WatchOptions, 'use'> & { wallMs: number },
): Result<CertificatePair> {
  const read = readCertificatePair(paths)
  if (!read.ok || (read.value.cert === inUse.cert && read.value.key === inUse.key)) return read.ok ? ok(inUse) : read
  const invalid = invalidity(read.value, wallMs)
  if (invalid !== null && invalidity(inUse, wallMs) === null)
    return err(`the certificate in ${plainText(paths.certPath)} ${invalid}`)
  try {
    use(read.value)
    return read
  } catch (error) {
    return err(`the new certificate cannot be used: ${plainText(String(error))}`)
  }
}
