import { expect, test } from 'vitest'
import type { Overlay } from '../../../src/store/desk.ts'
import { paletteWith } from '../../../src/store/palette.ts'
import { deskState } from '../../fakes/desk-state.ts'
import { plainScreen } from '../render-screen.tsx'

const sizes = [
  [80, 24],
  [120, 40],
  [200, 60],
] as const

const overlays: Readonly<Record<string, Overlay>> = {
  'palette sentence': paletteWith('buy 0.05 btc-usd @ 64209.5 gtd 20261231 post'),
  'palette wrong': paletteWith('cancel all eht-usd'),
  'palette action': paletteWith('group'),
  symbols: { kind: 'symbols', query: 'us', selected: 'ETH-USD' },
  tour: { kind: 'tour', page: 2 },
  'help filtered': { kind: 'help', query: 'cancel', top: 0 },
  'confirm cancel': { kind: 'confirmCancel', target: { kind: 'all', symbol: null } },
}

/** The dialog alone, cut out of the screen: what stands between its corners. */
function dialogOf(screen: string): string {
  const lines = screen.split('\n')
  const top = lines.findIndex((line) => line.includes('╔'))
  const bottom = lines.findLastIndex((line) => line.includes('╚'))
  const left = lines[top]?.indexOf('╔') ?? 0
  const right = (lines[top]?.indexOf('╗') ?? 0) + 1
  const cut = lines.slice(top, bottom + 1).map((line) => line.slice(left, right))
  // Empty lines below the last words say nothing.
  const last = cut.findLastIndex((line, at) => at < cut.length - 1 && /[^║\s]/.test(line))
  return [...cut.slice(0, last + 1), cut.at(-1) ?? ''].join('\n')
}

test.each(Object.keys(overlays))('the overlay as it is drawn at three sizes: %s', async (name) => {
  const overlay = overlays[name] ?? null
  const state = deskState({ overlay, recentSymbols: ['SOL-USD'] })
  const pictures = sizes.map(
    ([columns, rows]) => `${columns}x${rows}\n${dialogOf(plainScreen(state, columns, rows))}\n`,
  )
  await expect(pictures.join('\n')).toMatchFileSnapshot(`golden/${name.replace(' ', '-')}.txt`)
})
