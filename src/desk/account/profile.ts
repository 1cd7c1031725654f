import { type BaseAddress, readBaseAddress } from '../../api/base-address.ts'
import { createTransport } from '../../api/call.ts'
import {
  createExchangeClient,
  createPersonClient,
  type ExchangeClient,
  exchangeKeyHeader,
} from '../../api/exchange-client.ts'
import { certainSkewMs } from '../../api/skew-estimator.ts'
import { type AnswerReport, readCaFile, type TransportOptions } from '../../api/transport.ts'
import type { CommandIo, CommandTools } from '../../base/process/command-io.ts'
import { err, ok, type Result } from '../../base/result.ts'
import type { Secret } from '../../base/secret.ts'
import { plainText } from '../../base/text/plain-text.ts'
import { fetchKey, type KeySource } from '../../config/key-source.ts'
import type { Settings } from '../../config/settings.ts'

/** An exchange that a one-shot command talks to. */
export type Session = {
  client: ExchangeClient
  settings: Settings
  token: Secret
  /** How far the exchange's clock is ahead of the wall clock, in ms, by the answers so far; null while unknown. */
  skewMs: () => number | null
  close: () => Promise<void>
}

export type SessionOptions = {
  settings: Settings
  io: CommandIo
  tools: CommandTools
  /** False: the transport refuses everything but reads. */
  mayWrite: boolean
  onAnswer?: (report: AnswerReport) => void
  /** Replaces the usual rate and retries, and the rate of the settings. */
  calls?: Pick<TransportOptions, 'rate' | 'retry'>
  /** True: through a hub, its latest answers may serve as the exchange's own. */
  isPatient?: boolean
}

const nowhere =
  'no exchange is named, and the practice exchange of a desk is not shared: set PITDESK_EXCHANGE_BASE_URL and ' +
  'PITDESK_API_TOKEN, as "pitdesk sandbox" prints them for one, or name a profile of config.toml with --profile'

/** Gets the key for the exchange of these settings. */
export async function fetchToken(settings: Settings, io: CommandIo, tools: CommandTools): Promise<Result<Secret>> {
  const { exchange, profileName } = settings
  if (exchange.kind === 'own') return err(nowhere)
  if (exchange.token === null) {
    return err(
      `no key for ${plainText(profileName)}: set PITDESK_API_TOKEN, or api_token_file or api_token_command in its ` +
        'profile',
    )
  }
  return keyFrom(exchange.token, { io, tools })
}

/** Opens a connection to the exchange of the settings. The error says what is missing. */
export async function openSession(options: SessionOptions): Promise<Result<Session>> {
  const { settings, io, tools, mayWrite, onAnswer } = options
  if (settings.exchange.kind === 'own') return err(nowhere)
  const base = readBaseAddress(settings.exchange.baseUrl)
  if (!base.ok) return err(`${plainText(settings.profileName)}: ${base.error}`)
  const token = await fetchToken(settings, io, tools)
  if (!token.ok) return token
  const certificates = await transportSettings(settings)
  if (!certificates.ok) return certificates
  const also = furtherAddresses(settings)
  if (!also.ok) return err(`${plainText(settings.profileName)}: ${also.error}`)
  const { clock, random } = tools
  let skewMs: number | null = null
  const transport = createTransport({
    ...certificates.value,
    ...options.calls,
    environment: io.environment,
    base: base.value,
    also: also.value,
    key: token.value,
    keyHeader: exchangeKeyHeader,
    clock,
    random,
    mayWrite: () => mayWrite && !settings.isMonitor,
    mayDecide: () => mayWrite,
    onAnswer(report) {
      if (report.skew !== null) skewMs = certainSkewMs(report.skew)
      onAnswer?.(report)
    },
  })
  return ok({
    client: options.isPatient === true ? createExchangeClient(transport) : createPersonClient(transport),
    settings,
    token: token.value,
    // `skewMs` is measured against desk time.
    skewMs: () => (skewMs === null ? null : skewMs - (clock.wallMs() - clock.now())),
    close: () => transport.close(),
  })
}

/** The connection settings: further trusted certificates, and calls per second. */
export async function transportSettings({
  caFile,
  ratePerSecond,
}: Settings): Promise<Result<Pick<TransportOptions, 'caPem' | 'rate'>>> {
  const rate = ratePerSecond === null ? {} : { rate: { perSecond: ratePerSecond, burst: ratePerSecond } }
  if (caFile === null) return ok(rate)
  const caPem = readCaFile(caFile)
  return caPem.ok ? ok({ ...rate, caPem: caPem.value }) : caPem
}

/** Further addresses of the exchange's hub. Its key goes there: only the hub's own addresses belong in the setting. */
export function furtherAddresses({ exchangeAlso }: Pick<Settings, 'exchangeAlso'>): Result<BaseAddress[]> {
  const also: BaseAddress[] = []
  for (const text of exchangeAlso) {
    const base = readBaseAddress(text)
    if (!base.ok) return err(`exchange_also: ${base.error}`)
    also.push(base.value)
  }
  return ok(also)
}

type Place = { io: Pick<CommandIo, 'environment' | 'signal' | 'printError'>; tools: Pick<CommandTools, 'clock'> }

/** Gets a key for this process; the output of a key command goes to stderr. */
export const keyFrom = (source: KeySource, { io, tools }: Place): Promise<Result<Secret>> =>
  fetchKey(source, { environment: io.environment, clock: tools.clock, signal: io.signal, say: io.printError })
