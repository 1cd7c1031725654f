import { expect, test } from 'vitest'
import { freePort } from '../../fakes/free-port.ts'
import { openExchange, openShell } from '../harness.ts'

const far = { PITDESK_EXCHANGE_BASE_URL: 'https://exchange.invalid/v3', PITDESK_API_TOKEN: 'key' }

const linesOf = async (environment: Record<string, string>) => {
  const shell = openShell({ ...far, ...environment })
  const running = shell.start('doctor')
  await running.until(() => running.ran.code !== -1)
  const { stdout, stderr } = await running.ended
  expect([...stdout, ...stderr].join('\n')).not.toContain('s3cret')
  return stdout.filter((line) => /^\w+ +(proxy|connection) /.test(line))
}

test('the proxy of the exchange is named by its host, with what fails there', async () => {
  const host = `127.0.0.1:${await freePort()}`
  expect(await linesOf({ HTTPS_PROXY: `http://desk:s3cret@${host}` })).toEqual([
    `ok    proxy          the exchange through ${host} (HTTPS_PROXY)`,
    `fail  connection     The connection was refused (proxy ${host}). Check HTTPS_PROXY and NO_PROXY.`,
  ])
  expect(await linesOf({ HTTPS_PROXY: 'http://desk:p/s3cret@proxy.invalid' })).toEqual([
    expect.stringMatching(/^fail {2}connection +HTTPS_PROXY is not the address of a proxy: /),
  ])
})

test('a proxy for everything is said not to be read, where it would have been used', async () => {
  const socks = { ALL_PROXY: 'socks5://desk:s3cret@proxy.invalid:1080' }
  expect((await linesOf(socks))[0]).toMatch(/^warn {2}proxy +ALL_PROXY is not read, .*: set HTTPS_PROXY/)
  expect(await linesOf({ ...socks, NO_PROXY: '.invalid' })).toEqual([expect.stringMatching(/^fail {2}connection /)])
  const exchange = await openExchange()
  const shell = openShell({ ...exchange.environment(), ...socks }, exchange.clock)
  expect((await shell.run('doctor')).stdout.join('\n')).not.toContain('PROXY')
})
