import { openShell, type Ran, type Shell } from '../commands/harness.ts'
import { eventually } from '../fakes/eventually.ts'
import { FakeClock } from '../fakes/fake-clock.ts'
import { patientClock } from '../fakes/patient-clock.ts'
import type { PostgresCluster } from '../fakes/postgres.ts'
import { openFirm, ready } from './harness.ts'

export const json = ({ stdout }: Ran) => JSON.parse(stdout.join('\n'))
export const failing = (ran: Ran) => ({ code: ran.code, said: ran.stderr.join('\n') })

/** A hub that leads, and machines of persons: each with a token and a home of their own. */
export async function openOffice(cluster: PostgresCluster, approval: Parameters<typeof openFirm>[2]) {
  const firm = await openFirm(cluster, {}, approval)
  await firm.quote()
  const hub = await firm.hub()
  const machine = async (name: string, role: 'trader' | 'approver' | 'admin' | 'viewer'): Promise<Shell> => {
    const { token, at } = await firm.member(name, role)
    await eventually(async () => ready(at(hub)))
    const own = { PITDESK_EXCHANGE_BASE_URL: `${hub.url}/v3`, PITDESK_API_TOKEN: token.reveal() }
    return openShell(own, new FakeClock(patientClock.wallMs()))
  }
  const anna = await machine('anna', 'trader')
  const place = json(await anna.run('whitelist --json')).find(
    ({ currency }: { currency: string }) => currency === 'BTC',
  )
  return { firm, hub, anna, machine, to: String(place.whitelistId) }
}
