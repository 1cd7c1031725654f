import { expect, test } from 'vitest'
import { tomlPositions } from '../../src/config/toml-positions.ts'

const text = `# a comment with [brackets] and = signs
default_profile = "main" # and another = one

[profiles.main]
kind = 'live'
words = ["a = b", 'c', # inside
  """long
= text""" ]
limits = { open_orders = 3, "collar_percent" = "2" }
[ profiles . "second one" ] # spaces
  poll_ms.book = 500
last = 1`

test('finds every key where it stands', () => {
  const positions = tomlPositions(text)
  const at = (...path: string[]) => positions.at(path)
  expect(at('default_profile')).toEqual({ line: 2, column: 1 })
  expect(at('profiles', 'main')).toEqual({ line: 4, column: 2 })
  expect(at('profiles', 'main', 'kind')).toEqual({ line: 5, column: 1 })
  expect(at('profiles', 'main', 'words')).toEqual({ line: 6, column: 1 })
  expect(at('profiles', 'main', 'limits', 'open_orders')).toEqual({ line: 9, column: 12 })
  expect(at('profiles', 'main', 'limits', 'collar_percent')).toEqual({ line: 9, column: 29 })
  expect(at('profiles', 'second one', 'poll_ms', 'book')).toEqual({ line: 11, column: 3 })
  expect(at('profiles', 'second one', 'last')).toEqual({ line: 12, column: 1 })
})

test('comes to an end on text of any kind', () => {
  for (const odd of ['', '=', '[', '"', "'''", 'a', 'a =', 'a = [', 'a = {', '\u0000\u0001', '[[x]]\ny=1', 'é = 1']) {
    expect(tomlPositions(odd).at([])).toEqual({ line: 1, column: 1 })
  }
})
