import { expect, test } from 'vitest'
import { commandLine } from '../../../src/commands/cli/command-line.ts'
import { unknownSymbol } from '../../../src/commands/write/unknown-symbol.ts'

const again = (symbol: string) =>
  commandLine(
    'order place',
    ['buy', '0.1', symbol],
    [
      { name: 'limit', value: '64000' },
      { name: 'note', value: "it's" },
    ],
  )

test('a symbol that may be several is refused with the command for each, a word of it as a shell takes it', () => {
  const symbols = ['BTC-USD', 'BTC-EUR', 'ETH-USD']
  const of = (symbol: string, withAgain: typeof again | null = again) =>
    unknownSymbol({ symbol, symbols, nothing: 'Nothing was placed.', again: withAgain })
  const rest = String.raw`--limit 64000 --note 'it'\''s'`
  expect(of('BTC')).toMatchObject({
    code: 3,
    sentence: 'not sent: unknown symbol BTC, did you mean "BTC-USD" or "BTC-EUR"? Nothing was placed.',
    todo:
      `Type pitdesk order place buy 0.1 BTC-USD ${rest} or pitdesk order place buy 0.1 BTC-EUR ${rest}. ` +
      'List them with pitdesk symbols.',
  })
  // Of a draft the symbol was not typed, and of an unknown one nobody knows which is meant.
  for (const ending of [of('BTC', null), of('WXYZ')])
    expect(ending).toMatchObject({ code: 3, todo: 'List them with pitdesk symbols.' })
})
