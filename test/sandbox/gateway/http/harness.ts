import { onTestFinished } from 'vitest'
import { listenAll } from '../../../../src/http-server/app.ts'
import { createGatewayServer } from '../../../../src/sandbox/gateway/http/gateway-server.ts'
import type { PartnerGateway } from '../../../../src/sandbox/gateway/partner-gateway.ts'
import { createFaults } from '../../../../src/sandbox/http/faults.ts'
import { FakeClock } from '../../../fakes/fake-clock.ts'
import { acme } from '../../../fakes/fake-gateway-world.ts'
import { httpCall, noonMs } from '../../http/harness.ts'

/** The gateway's doors on this world, on a clock that stands still, closed when the test ends. */
export async function openGateway(world: PartnerGateway, settled: () => Promise<void> | null = () => null) {
  const lines: string[] = []
  const faults = createFaults(() => true)
  const clock = new FakeClock(noonMs)
  const server = await createGatewayServer({ world, settled, clock, faults, log: (line) => lines.push(line) })
  onTestFinished(() => server.close())
  const [url = ''] = await listenAll([server], [{ port: 0, flag: '--gateway-port' }])
  /** A call with the partner's key, unless another is given; `path` is below the version. */
  const get = (path: string, headers: Record<string, string | string[]> = { 'X-Public-API-Key': acme.key }) =>
    httpCall(url, { path: `/partner-gateway/partner-api/v1${path}`, headers })
  return { url, get, faults, lines }
}
