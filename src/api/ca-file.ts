import { X509Certificate } from 'node:crypto'
import { readOwnFile } from '../base/own-file.ts'
import { err, ok, type Result } from '../base/result.ts'

const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g
const longestFileBytes = 4 * 1024 * 1024

/**
 * Reads a file of certificates in PEM form and gives its text, checked as `checkCaPem` does. Who can change it decides
 * whom the desk takes for the exchange: it must be nobody else.
 */
export function readCaFile(path: string): Result<string> {
  const text = readOwnFile(path, { rule: 'trusted', bytesMost: longestFileBytes })
  if (!text.ok) return err(`the certificate file ${path} ${text.error}`)
  if (text.value === null) return err(`the certificate file ${path} does not exist`)
  const checked = checkCaPem(text.value)
  return checked.ok ? ok(text.value) : err(`the certificate file ${path} is not usable: ${checked.error}`)
}

/** The certificates of a PEM text, at least one; text around them is left out, as it is in the bundles of systems. */
export function checkCaPem(text: string): Result<string[]> {
  if (text.length > longestFileBytes) return err('it is longer than a file of certificates can be')
  const blocks = text.match(certificate) ?? []
  if (blocks.length === 0) return err('it holds no certificate in PEM form (-----BEGIN CERTIFICATE-----)')
  const broken = blocks.findIndex((block) => !isCertificate(block))
  return broken === -1 ? ok(blocks) : err(`its certificate number ${broken + 1} cannot be read`)
}

function isCertificate(block: string): boolean {
  try {
    return new X509Certificate(block).serialNumber !== ''
  } catch {
    return false
  }
}
