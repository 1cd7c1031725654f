import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { err, ok, type Result } from '../domain/result.ts'

const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g
const longestFileBytes = 4 * 1024 * 1024

/** Reads a file of certificates in PEM form and gives its text, checked as `checkCaPem` does. */
export async function readCaFile(path: string): Promise<Result<string>> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown'
    return { code }
  })
  if (typeof text !== 'string') {
    const reason = text.code === 'ENOENT' ? 'there is no such file' : `it cannot be read (${text.code})`
    return err(`the certificate file ${path} is not usable: ${reason}`)
  }
  const checked = checkCaPem(text)
  return checked.ok ? ok(text) : err(`the certificate file ${path} is not usable: ${checked.error}`)
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
