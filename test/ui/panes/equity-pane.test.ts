import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import { emptyFeed } from '../../../src/store/feeds/feed.ts'
import { equityContent, equitySentences, equityView } from '../../../src/ui/panes/equity/equity-pane.tsx'
import { rowText } from '../../../src/ui/text/row.ts'
import { deskNowMs, deskState } from '../../fakes/desk-state.ts'

test('what a loss is counted from, and when that was, are there whole or not at all', () => {
  const loss = {
    ...{ kind: 'known' as const, usd: new Decimal('12.11'), share: new Decimal('0.0001') },
    ...{ highUsd: new Decimal('89185'), atMs: deskNowMs },
  } as const
  const view = { ...equityView(deskState()), drawdown: { day: loss, kept: { ...loss, atMs: deskNowMs - 86_400_000 } } }
  const shown = (width: number) => equityContent(view, width, 14, 'ascii').rows.map(rowText)
  const wide = / day high +-12\.11 -0\.01% below 89,185 of 14:02$/
  expect(shown(60).find((row) => row.startsWith(' day high'))).toMatch(wide)
  for (let width = 28; width < 60; width += 1) {
    const [day = '', high = ''] = shown(width).filter((row) => /^ (day )?high /.test(row))
    expect(day).toMatch(/-0\.01%( below 89,185( of 14:02)?)?$/)
    expect(high).toMatch(/-0\.01%( below 89,185( of [\d-]{10} 14:02)?)?$/)
  }
})

test('read aloud, equity before the first balances is no sum, and that of old ones says so', () => {
  const said = (more: Parameters<typeof deskState>[0]) => {
    const { note, rows } = equitySentences(equityView(deskState(more)), 100)
    return [note, ...rows].map(rowText).join(' ')
  }
  expect(said({ balances: emptyFeed })).toContain('Waiting for your balances')
  expect(said({ balances: emptyFeed })).not.toMatch(/Equity \S*\d/)
  expect(said({ nowMs: deskNowMs + 120_000 })).toMatch(/STALE 2m.* Equity [\d,.]+ USD/)
})
