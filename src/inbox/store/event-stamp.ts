import { readGatewayTime } from '../../domain/gateway/event.ts'
import { checkGatewayEvent } from '../../wire/gateway-event.ts'

/** When the gateway says that an event's order came to its state, in ms since 1970; null where it cannot be read. */
export function stampMs(body: string): number | null {
  const checked = checkGatewayEvent(body)
  const text = checked.ok ? checked.value.get('orderStateUpdatedAt')?.text : undefined
  const time = text === undefined ? undefined : readGatewayTime(text)
  return time === undefined ? null : Number(time.epochNs / 1_000_000n)
}
