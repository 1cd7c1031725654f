import { err, type Result } from '../../base/result.ts'
import type { KeySource } from '../../config/key-source.ts'
import { readSigningSecret, type Signer } from '../../services/notify/targets.ts'
import { keyFrom } from '../account/profile.ts'

/** Gets the signer of deliveries from a secret; the error names the secret's source. */
export async function signerFrom(source: KeySource, place: Parameters<typeof keyFrom>[1]): Promise<Result<Signer>> {
  const secret = await keyFrom(source, place)
  if (!secret.ok) return secret
  const signer = readSigningSecret(secret.value)
  return signer.ok ? signer : err(`${source.name}: ${signer.error}`)
}
