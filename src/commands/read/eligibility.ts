import { readBaseAddress } from '../../api/base-address.ts'
import { createTransport } from '../../api/call.ts'
import { ExchangeError } from '../../api/errors.ts'
import { createGatewayClient, type GatewayClient, gatewayKeyHeader } from '../../api/gateway-client.ts'
import { type CommandIo, type CommandTools, readingSignal } from '../../base/process/command-io.ts'
import { err, type Result } from '../../base/result.ts'
import type { Secret } from '../../base/secret.ts'
import { plainText } from '../../base/text/plain-text.ts'
import type { Settings } from '../../config/settings.ts'
import { keyFrom, transportSettings } from '../../desk/account/profile.ts'
import type { EligibleCurrency, EligiblePaymentMethod, EligibleRegions } from '../../domain/gateway/eligibility.ts'
import { gatewayParts } from '../../services/gateway/eligibility.ts'
import { type Arguments, unknownWord } from '../cli/arguments.ts'
import type { Run } from '../cli/command.ts'
import { type Ending, type Fields, failed, failureOf, settingsFailure, wrongUsage } from '../cli/exit-codes.ts'
import { amount, type Column, formOf, leftOutTo, printReading, type Reading, text } from '../cli/output.ts'
import { readProfile, redacted } from '../cli/session.ts'
import { runUntilBrokenOff } from './read-command.ts'

type Context = { io: CommandIo; tools: CommandTools }
type Answer = { reading: Reading; refused: readonly string[] }
type EligibilityRead = {
  columns: readonly Column[]
  fetch(client: GatewayClient, given: Arguments, signal: AbortSignal): Promise<Answer>
}

const joined = (words: readonly string[] | null): string | null => words?.join(' ') ?? null

/** The wire's names: they differ from the domain's in their capitals. */
const currencyFields = ({ isSupportedInUs, allowedUsStates, ...same }: EligibleCurrency) => ({
  ...same,
  isSupportedInUS: isSupportedInUs,
  allowedUSStates: allowedUsStates,
})

function currencyReading(currencies: readonly EligibleCurrency[]): Reading {
  const value = currencies.map(currencyFields)
  return { kind: 'one', value, rows: value.map((row) => ({ ...row, allowedUSStates: joined(row.allowedUSStates) })) }
}

function regionReading({ countries, usStates }: EligibleRegions): Reading {
  const rows: Fields[] = [
    ...countries.map((country) => ({ list: 'countries', ...country })),
    ...usStates.map((state) => ({ list: 'usStates', ...state, alpha3: null })),
  ]
  return { kind: 'one', value: { countries, usStates }, rows }
}

const methodReading = (methods: readonly EligiblePaymentMethod[]): Reading => ({
  kind: 'one',
  value: methods,
  rows: methods.map((method) => ({ ...method, supportedCurrencies: joined(method.supportedCurrencies) })),
})

const reads: Readonly<Record<string, EligibilityRead>> = {
  currencies: {
    columns: [
      text('code', 'CODE'),
      text('type', 'TYPE'),
      text('name', 'NAME', 1),
      amount('precision', 'DECIMALS'),
      amount('minBuyAmount', 'MINIMUM'),
      amount('maxBuyAmount', 'MAXIMUM'),
      text('network', 'NETWORK'),
      text('supportsDestinationTag', 'TAG', 2),
      text('isSupportedInUS', 'IN US', 2),
      text('allowedUSStates', 'US STATES', 3),
    ],
    async fetch(client, _given, signal) {
      const { currencies, refused } = await client.fetchCurrencies(signal)
      return { reading: currencyReading(currencies), refused }
    },
  },
  regions: {
    columns: [
      text('list', 'LIST'),
      text('alpha2', 'CODE'),
      text('alpha3', 'LONG', 1),
      text('isBuyAllowed', 'BUYING'),
      text('name', 'NAME'),
    ],
    async fetch(client, given, signal) {
      const { refused, ...regions } = await client.fetchRegions(!given.has('all'), signal)
      return { reading: regionReading(regions), refused }
    },
  },
  'payment-methods': {
    columns: [text('type', 'TYPE'), text('supportedCurrencies', 'CURRENCIES')],
    async fetch(client, _given, signal) {
      const { paymentMethods, refused } = await client.fetchPaymentMethods(signal)
      return { reading: methodReading(paymentMethods), refused }
    },
  },
}

/** Prints the partner's eligible currencies, regions and payment methods. */
export const runEligibility: Run = async (given, io, tools) => {
  const [name = ''] = given.words
  const read = Object.hasOwn(reads, name) ? reads[name] : undefined
  if (read === undefined) {
    return wrongUsage(unknownWord('list', name, Object.keys(reads)))
  }
  if (given.has('all') && name !== 'regions') return wrongUsage('--all works with regions only')
  const settings = readProfile(given, io)
  if (!settings.ok) return settingsFailure(settings.error)
  const key = await fetchPartnerKey(settings.value, { io, tools })
  if (!key.ok) return failed(key.error)
  return ask(read, { settings: settings.value, key: key.value, given, io, tools })
}

/** The gateway's address must be known before its key is fetched. */
async function fetchPartnerKey(settings: Settings, context: Context): Promise<Result<Secret>> {
  const { gatewayBaseUrl, partnerKey, profileName } = settings
  if (gatewayBaseUrl === null)
    return err(
      'no gateway is named: set PITDESK_GATEWAY_BASE_URL and PITDESK_PARTNER_KEY, as "pitdesk sandbox" prints them ' +
        'for one, or gateway_base_url in a profile',
    )
  if (partnerKey === null)
    return err(
      `no partner key for ${plainText(profileName)}: set PITDESK_PARTNER_KEY, or partner_key_file or ` +
        'partner_key_command in its profile',
    )
  return keyFrom(partnerKey, context)
}

type Asking = Context & { settings: Settings; key: Secret; given: Arguments }

async function ask(read: EligibilityRead, { settings, key, given, io, tools }: Asking): Promise<Ending> {
  const base = readBaseAddress(settings.gatewayBaseUrl ?? '')
  if (!base.ok) return failed(`${plainText(settings.profileName)}: ${base.error}`)
  const connection = await transportSettings(settings)
  if (!connection.ok) return failed(connection.error)
  const { clock, random } = tools
  const transport = createTransport({
    ...connection.value,
    environment: io.environment,
    base: base.value,
    key,
    keyHeader: gatewayKeyHeader,
    clock,
    random,
    mayWrite: () => false,
  })
  try {
    return await runUntilBrokenOff(io, async () => {
      const client = createGatewayClient(transport, 'person')
      const { reading, refused } = await read.fetch(client, given, readingSignal(io))
      const { leftOut, ending } = leftOutTo(io)
      refused.forEach(leftOut)
      await printReading(reading, read.columns, formOf(given, io.stdout), io)
      return ending()
    })
  } catch (error) {
    if (error instanceof ExchangeError) return failureOf(error, redacted(gatewayParts(error), key))
    throw error
  } finally {
    await transport.close()
  }
}
