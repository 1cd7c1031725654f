import { err, ok, type Result } from '../domain/result.ts'
import { readSecret, type Secret } from '../domain/secret.ts'

/** Which exchange the desk works with: its own practice exchange, or a service somewhere. */
export type Connection =
  | { kind: 'practice' }
  | { kind: 'service'; profileName: string; exchangeBaseUrl: string; token: Secret }

export type Environment = Readonly<Record<string, string | undefined>>

/** Reads the connection from the environment. Without a base address the desk runs its own practice exchange. */
export function readConnection(environment: Environment): Result<Connection> {
  const exchangeBaseUrl = environment.PITDESK_EXCHANGE_BASE_URL ?? ''
  if (exchangeBaseUrl === '') return ok({ kind: 'practice' })
  const token = readSecret(environment.PITDESK_API_TOKEN ?? '')
  if (!token.ok) {
    return err(
      `PITDESK_EXCHANGE_BASE_URL is set but PITDESK_API_TOKEN is not usable: ${token.error}. Nothing was sent.`,
    )
  }
  return ok({ kind: 'service', profileName: 'environment', exchangeBaseUrl, token: token.value })
}
