import { readBaseAddress } from '../../api/base-address.ts'
import { proxyVariable, readProxy } from '../../api/proxy.ts'
import type { Environment } from '../../base/environment.ts'
import type { Settings } from '../../config/settings.ts'
import { type Finding, ok, warn } from './doctor-finding.ts'

/**
 * The proxy to the exchange, by host alone, because the address may hold a password. Nothing without a proxy; an
 * unusable one is reported as a fault of the connection.
 */
export function proxyFindings({ exchange }: Settings, environment: Environment): Finding[] {
  const base = exchange.kind === 'service' ? readBaseAddress(exchange.baseUrl) : null
  if (base === null || !base.ok) return []
  const { origin } = base.value
  const proxy = readProxy(origin, environment)
  if (!proxy.ok) return []
  if (proxy.value !== null) return [ok('proxy', `the exchange through ${proxy.value.host} (${proxy.value.variable})`)]
  const other = proxyVariable(environment, 'ALL_PROXY')
  const asIfRead = readProxy(origin, { ...environment, HTTPS_PROXY: other, https_proxy: undefined })
  if (asIfRead.ok && asIfRead.value === null) return []
  return [
    warn('proxy', 'ALL_PROXY is not read, the exchange is called directly: set HTTPS_PROXY to go through a proxy'),
  ]
}
