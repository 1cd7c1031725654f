import type { GatewayPort } from '../store/gateway/gateway-commands.ts'

/** What a desk without a gateway says to whatever is asked of it. */
export function noGatewayPort(say: (text: string) => void): GatewayPort {
  const no = () => say('This desk has no inbox of gateway orders.')
  return { readOrder: no, replay: no, retryDelivery: no, switchInbox: no }
}
