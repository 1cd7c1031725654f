import type { EligibleCountry, EligibleState } from '../../../domain/gateway/eligibility.ts'

const country = (line: string): EligibleCountry => {
  const [alpha2 = '', alpha3 = '', ...name] = line.replace(' (closed)', '').split(' ')
  return { alpha2, alpha3, isBuyAllowed: !line.endsWith('(closed)'), name: name.join(' ') }
}

/** Where the gateway does business; in those that are closed users may sell, and not buy. */
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
  'AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware|DC District of Columbia|FL Florida|GA Georgia|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|KY Kentucky|LA Louisiana|ME Maine|MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|MO Missouri|MT Montana|NE Nebraska|NV Nevada|NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York|NC North Carolina|ND North Dakota|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|RI Rhode Island|SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|UT Utah|VT Vermont|VA Virginia|WA Washington|WV West Virginia|WI Wisconsin|WY Wyoming'
const closedStates = new Set(['HI', 'LA', 'NY'])

export const usStates: readonly EligibleState[] = stateNames.split('|').map((entry) => {
  const alpha2 = entry.slice(0, 2)
  return { alpha2, isBuyAllowed: !closedStates.has(alpha2), name: entry.slice(3) }
})

/** The two letters of every state in which the gateway sells anything. */
export const openStates: readonly string[] = usStates.flatMap(({ alpha2, isBuyAllowed }) =>
  isBuyAllowed ? [alpha2] : [],
)
