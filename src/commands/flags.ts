import { orderStatuses } from '../domain/orders/order.ts'
import type { Flag } from './command.ts'

// Flags that several commands have. Kept apart from what reads them, so that the table of commands loads at once.

export const profileFlag: Flag = {
  name: 'profile',
  placeholder: 'NAME',
  meaning: 'the profile of config.toml to work with',
}

/** Of commands that print lines also where stdout is not a terminal. */
export const jsonFlag: Flag = {
  name: 'json',
  placeholder: null,
  meaning: 'one JSON value instead of lines; a failure is {"error": …}',
}

export const formFlags: readonly Flag[] = [
  {
    name: 'json',
    placeholder: null,
    meaning: 'one JSON value, amounts as strings (the form where stdout is not a terminal); a failure is {"error": …}',
  },
  { name: 'csv', placeholder: null, meaning: 'the same fields as CSV, with a head' },
]

export const symbolFlag: Flag = { name: 'symbol', placeholder: 'SYMBOL', meaning: 'only this symbol, such as BTC-USD' }
export const timeFlags: readonly Flag[] = [
  {
    name: 'from',
    placeholder: 'TIME',
    meaning: 'not older than this: 2026-11-20, 2026-11-20T14:00:00Z, or ms since 1970',
  },
  { name: 'to', placeholder: 'TIME', meaning: 'not newer than this; a day counts to its end' },
]
export const pageFlags: readonly Flag[] = [
  { name: 'limit', placeholder: 'COUNT', meaning: 'at most this many, the newest (100)' },
  { name: 'all', placeholder: null, meaning: 'everything there is, page by page' },
]
export const statusFlag: Flag = {
  name: 'status',
  placeholder: 'STATUS',
  meaning: 'orders in this state instead of the working ones',
  choices: orderStatuses,
}

export const currencyFlag: Flag = { name: 'currency', placeholder: 'CODE', meaning: 'only this currency, such as BTC' }

/** What every read takes. */
export const readFlags: readonly Flag[] = [...formFlags, profileFlag]
