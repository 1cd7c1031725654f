import type { GatewayOrderState, GatewayOrderType } from '../../domain/gateway/event.ts'
import type { StoredEvent } from '../../domain/gateway/inbox-source.ts'
import { checkGatewayEvent } from '../../wire/gateway-event.ts'

/** Which events are wanted; an empty list lets all of its kind pass. */
export type EventFilter = {
  readonly states: readonly GatewayOrderState[]
  readonly types: readonly GatewayOrderType[]
  /** Of what the user pays or of what the user gets. */
  readonly currencies: readonly string[]
  readonly countries: readonly string[]
}

/**
 * Whether an event passes. Capitals do not matter. What a newer version recorded and this one cannot read passes: sent
 * where it is not wanted it is a nuisance, not sent where it is wanted it is lost.
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
