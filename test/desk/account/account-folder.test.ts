import { expect, test } from 'vitest'
import { Secret } from '../../../src/base/secret.ts'
import { accountOf } from '../../../src/desk/account/account-folder.ts'

const io = { environment: { XDG_STATE_HOME: '/state' } }
const folderOf = (baseUrl: string, key = 'key') =>
  accountOf({ profileName: 'main', exchange: { kind: 'service', baseUrl, token: null } }, new Secret(key), io).folder

test('an exchange has one folder, however its address is written', () => {
  const folder = folderOf('https://exchange.example/v3')
  expect(folder).toMatch(/^\/state\/pitdesk\/accounts\/exchange\.example-[0-9a-f]{12}$/)
  for (const same of [
    'https://exchange.example/v3/',
    'https://EXCHANGE.example:443/v3//',
    'https://exchange.example./v3',
    'https://ada:secret@exchange.example/v3',
  ])
    expect(folderOf(same), same).toBe(folder)
})

test('another key, port, path or host is another account', () => {
  const folders = [
    folderOf('https://exchange.example/v3'),
    folderOf('https://exchange.example/v3', 'other'),
    folderOf('https://exchange.example:8443/v3'),
    folderOf('https://exchange.example/v4'),
    folderOf('https://exchange.example.com/v3'),
  ]
  expect(new Set(folders).size).toBe(folders.length)
})
