import type { EligibleCountry, EligibleCurrency, EligibleState } from '../../../domain/gateway/eligibility.ts'
import type { GatewayPaymentMethod } from '../../../domain/gateway/event.ts'
import { Decimal } from '../../../domain/money.ts'

const country = (line: string): EligibleCountry => {
  const [alpha2 = '', alpha3 = '', ...name] = line.replace(' (closed)', '').split(' ')
  return { alpha2, alpha3, isBuyAllowed: !line.endsWith('(closed)'), name: name.join(' ') }
}

/** Where the gateway does business; in countries without buying, users may still sell. */
export const countries: readonly EligibleCountry[] = [
  'AR ARG Argentina',
  'AT AUT Austria',
  'AU AUS Australia',
  'BE BEL Belgium',
  'BR BRA Brazil',
  'CA CAN Canada',
  'CH CHE Switzerland',
  'CL CHL Chile',
  'CN CHN China (closed)',
  'CZ CZE Czechia',
  'DE DEU Germany',
  'DK DNK Denmark',
  'ES ESP Spain',
  'FI FIN Finland',
  'FR FRA France',
  'GB GBR United Kingdom',
  'IE IRL Ireland',
  'IN IND India (closed)',
  'IT ITA Italy',
  'JP JPN Japan',
  'KE KEN Kenya',
  'MX MEX Mexico',
  'NG NGA Nigeria',
  'NL NLD Netherlands',
  'NO NOR Norway',
  'NZ NZL New Zealand',
  'PL POL Poland',
  'PT PRT Portugal',
  'RU RUS Russia (closed)',
  'SE SWE Sweden',
  'SG SGP Singapore',
  'TR TUR Türkiye (closed)',
  'US USA United States',
  'ZA ZAF South Africa',
].map(country)

const stateNames =
  'AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware|' +
  'DC District of Columbia|FL Florida|GA Georgia|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|' +
  'KY Kentucky|LA Louisiana|ME Maine|MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|' +
  'MO Missouri|MT Montana|NE Nebraska|NV Nevada|NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York|' +
  'NC North Carolina|ND North Dakota|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|RI Rhode Island|' +
  'SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|UT Utah|VT Vermont|VA Virginia|WA Washington|' +
  'WV West Virginia|WI Wisconsin|WY Wyoming'
const closedStates = new Set(['HI', 'LA', 'NY'])

export const usStates: readonly EligibleState[] = stateNames.split('|').map((entry) => {
  const alpha2 = entry.slice(0, 2)
  return { alpha2, isBuyAllowed: !closedStates.has(alpha2), name: entry.slice(3) }
})

/** Two-letter codes of the states in which the gateway sells anything. */
const openStates: readonly string[] = usStates.flatMap(({ alpha2, isBuyAllowed }) => (isBuyAllowed ? [alpha2] : []))

/** A currency of the gateway, with data that is not shown to partners. */
export type Listed = {
  readonly shown: EligibleCurrency
  /** Value of one unit in US dollars. */
  readonly usd: Decimal
  /** The network's fee per transaction, in US dollars; 0 for fiat. */
  readonly networkFeeUsd: Decimal
  /** The form of its addresses and transaction hashes. */
  readonly look: Look | null
}

type Look = {
  /** The prefix of every address, and how many letters of `alphabet` follow. */
  readonly prefix: string
  readonly letters: number
  readonly alphabet: string
  readonly hashPrefix: '' | '0x'
}

const fiat = (
  code: string,
  name: string,
  precision: number,
  usd: string,
  limits: readonly [string, string],
): Listed => ({
  shown: {
    type: 'FIAT',
    name,
    code,
    precision,
    minBuyAmount: new Decimal(limits[0]),
    maxBuyAmount: new Decimal(limits[1]),
    network: null,
    supportsDestinationTag: null,
    isSupportedInUs: null,
    allowedUsStates: null,
  },
  usd: new Decimal(usd),
  networkFeeUsd: new Decimal(0),
  look: null,
})

const bech32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const hex = '0123456789abcdef'
const ethereum: Look = { prefix: '0x', letters: 40, alphabet: hex, hashPrefix: '0x' }

const coin = (
  name: string,
  code: string,
  precision: number,
  [network, networkFeeUsd]: readonly [string, string],
  usd: string,
  look: Look,
  more: Partial<EligibleCurrency> = {},
): Listed => ({
  shown: {
    type: 'CRYPTO',
    name,
    code,
    precision,
    minBuyAmount: null,
    maxBuyAmount: null,
    network,
    supportsDestinationTag: false,
    isSupportedInUs: true,
    allowedUsStates: openStates,
    ...more,
  },
  usd: new Decimal(usd),
  networkFeeUsd: new Decimal(networkFeeUsd),
  look,
})

const plain = (prefix: string, letters: number, alphabet: string): Look => ({
  prefix,
  letters,
  alphabet,
  hashPrefix: '',
})

/** Every currency of the gateway. */
export const listed: readonly Listed[] = [
  fiat('USD', 'US Dollar', 2, '1', ['20', '10000']),
  fiat('EUR', 'Euro', 2, '1.0842', ['20', '10000']),
  fiat('GBP', 'Pound Sterling', 2, '1.2713', ['15', '8000']),
  fiat('CAD', 'Canadian Dollar', 2, '0.7312', ['30', '13000']),
  fiat('BRL', 'Brazilian Real', 2, '0.1823', ['100', '50000']),
  fiat('JPY', 'Yen', 0, '0.00642', ['3000', '1500000']),
  fiat('NGN', 'Naira', 2, '0.000649', ['15000', '15000000']),
  coin('Bitcoin', 'BTC', 8, ['BTC', '2.1'], '64210.5', plain('bc1q', 38, bech32)),
  coin('Ether', 'ETH', 18, ['ETH', '1.35'], '3120.1', ethereum),
  coin('Solana', 'SOL', 9, ['SOL', '0.02'], '142.33', plain('', 44, base58), { allowedUsStates: openStates.slice(5) }),
  coin('Stellar Lumen', 'XLM', 7, ['XLM', '0.01'], '0.1102', plain('G', 55, base32), { supportsDestinationTag: true }),
  coin('XRP', 'XRP', 6, ['XRP', '0.01'], '0.5214', plain('r', 33, base58), {
    supportsDestinationTag: true,
    isSupportedInUs: false,
    allowedUsStates: [],
  }),
  coin('USD Coin', 'USDC', 6, ['BASE', '0.04'], '1', ethereum),
  coin('Tether', 'USDT', 6, ['MATIC', '0.03'], '0.9998', ethereum, { isSupportedInUs: false, allowedUsStates: [] }),
  coin('Dogecoin', 'DOGE', 8, ['DOGE', '0.3'], '0.15842', plain('D', 33, base58)),
  coin('Litecoin', 'LTC', 8, ['LTC', '0.08'], '71.2', plain('ltc1q', 38, bech32)),
]

const listing = new Map(listed.map((each) => [each.shown.code, each]))
/** The currency with this code; undefined if the gateway does not have it. */
export const listedCurrency = (code: string): Listed | undefined => listing.get(code)

/** The gateway's fee per payment method, as a share of the input: 0.029 is 2.9%. */
export const processingRates: Readonly<Record<GatewayPaymentMethod, Decimal>> = {
  CARD: new Decimal('0.029'),
  APPLE_PAY: new Decimal('0.029'),
  GOOGLE_PAY: new Decimal('0.029'),
  BANK_TRANSFER_NIP: new Decimal('0.014'),
}

const cardCurrencies = ['USD', 'EUR', 'GBP', 'CAD', 'BRL', 'JPY']
/** Payment methods and the fiat currencies each supports. */
export const paymentCurrencies: Readonly<Record<GatewayPaymentMethod, readonly string[]>> = {
  CARD: cardCurrencies,
  APPLE_PAY: ['USD', 'EUR', 'GBP', 'CAD'],
  GOOGLE_PAY: ['USD', 'EUR', 'GBP'],
  BANK_TRANSFER_NIP: ['NGN'],
}
