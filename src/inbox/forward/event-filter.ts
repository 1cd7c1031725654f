import type { GatewayOrderState, GatewayOrderType } from '../../domain/gateway/event.ts'
import type { StoredEvent } from '../../domain/gateway/inbox-source.ts'
import { checkGatewayEvent } from '../../wire/gateway-event.ts'

/** Selects events; an empty list passes all values. */
export type EventFilter = {
  readonly states: readonly GatewayOrderState[]
  readonly types: readonly GatewayOrderType[]
  /** Currencies the user pays or gets. */
  readonly currencies: readonly string[]
  readonly countries: readonly string[]
}

/**
 * Returns a predicate for events, ignoring case. Events recorded by a newer version that this one cannot read pass,
 * because an unwanted event is a nuisance but a missing one is lost.
 */
export function eventFilter({ states, types, currencies, countries }: EventFilter): (event: StoredEvent) => boolean {
  const rules = [
    { wanted: states, fields: ['orderState'] },
    { wanted: types, fields: ['orderType'] },
    { wanted: currencies, fields: ['inputCurrency', 'outputCurrency'] },
    { wanted: countries, fields: ['userCountry'] },
  ].flatMap(({ wanted, fields }) =>
    wanted.length === 0 ? [] : [{ fields, wanted: new Set(wanted.map((each) => each.toUpperCase())) }],
  )
  if (rules.length === 0) return () => true
  return ({ body }) => {
    const read = checkGatewayEvent(body)
    if (!read.ok) return true
    const has = (name: string, wanted: ReadonlySet<string>) => {
      const text = read.value.get(name)?.text
      return text !== undefined && wanted.has(text.toUpperCase())
    }
    return rules.every(({ fields, wanted }) => fields.some((name) => has(name, wanted)))
  }
}
