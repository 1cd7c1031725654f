import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { openExchange, openShell } from '../harness.ts'

async function openGatewayShell(variables: Record<string, string> = {}) {
  const { sandbox, clock } = await openExchange()
  const known = { PITDESK_GATEWAY_BASE_URL: sandbox.gatewayUrl, PITDESK_PARTNER_KEY: sandbox.partnerKey }
  return { shell: openShell({ ...known, ...variables }, clock), sandbox }
}

test('currencies, regions and payment methods by the wire names, as JSON and as CSV', async () => {
  const { shell } = await openGatewayShell()
  const json = async (line: string) => JSON.parse((await shell.run(line)).stdout.join('\n'))
  const currencies = await json('eligibility currencies')
  expect(currencies).toContainEqual(
    expect.objectContaining({ code: 'BTC', type: 'CRYPTO', precision: 8, isSupportedInUS: expect.any(Boolean) }),
  )
  expect(currencies).toContainEqual(
    expect.objectContaining({ code: 'USD', type: 'FIAT', minBuyAmount: expect.any(String) }),
  )
  const some = await json('eligibility regions --json')
  const all = await json('eligibility regions --all')
  const allowed = (countries: { isBuyAllowed: boolean }[]) => new Set(countries.map(({ isBuyAllowed }) => isBuyAllowed))
  expect([allowed(some.countries), allowed(all.countries)]).toEqual([new Set([true]), new Set([true, false])])
  expect(all.countries.length).toBeGreaterThan(some.countries.length)
  expect(await json('eligibility payment-methods')).toContainEqual({
    type: 'CARD',
    supportedCurrencies: expect.arrayContaining(['USD']),
  })
  const { stdout } = await shell.run('eligibility regions --csv')
  expect(stdout[0]).toBe('list,alpha2,alpha3,isBuyAllowed,name')
  expect(stdout).toContainEqual(expect.stringMatching(/^usStates,[A-Z]{2},,true,/))
})

test('a terminal gets a table', async () => {
  const { shell } = await openGatewayShell()
  const { stdout } = await shell.run('eligibility payment-methods', { isTerminal: true })
  expect(stdout.join('\n')).toMatch(/TYPE +CURRENCIES/)
})

test('a refused key is told with what to do, and never repeated', async () => {
  const { shell } = await openGatewayShell({ PITDESK_PARTNER_KEY: 'wrong-partner-key-0123456789' })
  const { code, stderr } = await shell.run('eligibility currencies')
  expect(code).toBe(4)
  expect(stderr.join()).toContain('The gateway refused the partner key (401). Check the key')
  expect(stderr.join()).not.toContain('wrong-partner-key')
})

test.each([
  [403, 'The gateway forbids this (403). Ask the account manager what the partner key may read.'],
  [
    404,
    'The gateway does not know this (404). Check gateway_base_url: /partner-gateway/partner-api/v1 is added to it.',
  ],
])('an answer of %s has the advice for a gateway, which has neither ids nor withdrawals', async (status, words) => {
  const server = createServer((_request, response) => void response.writeHead(status).end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  const url = `http://127.0.0.1:${address === null || typeof address === 'string' ? 0 : address.port}`
  const ran = await openShell({ PITDESK_GATEWAY_BASE_URL: url, PITDESK_PARTNER_KEY: 'partner-key-0123456789' }).run(
    'eligibility regions',
  )
  expect(ran).toMatchObject({ code: 4, stderr: [`pitdesk eligibility: ${words}`] })
})

test.each([
  ['eligibility', 2, 'list missing: currencies, regions, payment-methods'],
  ['eligibility prices', 2, 'unknown list "prices": currencies, regions, payment-methods'],
  ['eligibility region', 2, 'unknown list "region", did you mean "regions"? currencies, regions, payment-methods'],
  ['eligibility currencies --all', 2, '--all works with regions only'],
  ['eligibility currencies --json --csv', 2, 'use --json or --csv, not both'],
])('%s is wrong usage', async (line, code, words) => {
  const ran = await openShell().run(line)
  expect(ran.code).toBe(code)
  expect(ran.stderr.join()).toContain(words)
})

test('without an address, or without a key, it says which setting is missing', async () => {
  expect((await openShell().run('eligibility regions')).stderr.join()).toContain('no gateway is named')
  const shell = openShell({ PITDESK_GATEWAY_BASE_URL: 'https://gateway.example' })
  expect((await shell.run('eligibility regions')).stderr.join()).toContain('no partner key')
})
