import { homedir } from 'node:os'
import { isAbsolute } from 'node:path'
import { expect, test } from 'vitest'
import { homeFolder, NoHome, xdgFolders } from '../../../src/base/process/environment.ts'

test.each(['', 'home/me', '.'])('a home of "%s" counts as unset: no folder is ever relative', (home) => {
  const folders = xdgFolders({ HOME: home, XDG_STATE_HOME: '', XDG_DATA_HOME: 'data' })
  expect(Object.values(folders).every(isAbsolute)).toBe(true)
  expect(folders).toEqual(xdgFolders({}))
  expect(homeFolder({ HOME: home })).toBe(homedir())
})

test('where neither the variable nor the system knows a home that is said, unless none is needed', () => {
  expect(() => xdgFolders({ HOME: '' }, () => null)).toThrow(NoHome)
  const all = { XDG_STATE_HOME: '/s', XDG_DATA_HOME: '/d', XDG_CONFIG_HOME: '/c', XDG_CACHE_HOME: '/k' }
  expect(xdgFolders({ HOME: '', ...all }, () => null).state).toBe('/s/pitdesk')
})
