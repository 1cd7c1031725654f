import { expect, test } from 'vitest'
import type { Overlay } from '../../../../src/store/desk.ts'
import { paletteWith } from '../../../../src/store/palette.ts'
import { deskState } from '../../../fakes/desk-state.ts'
import { withdrawData, withdrawOverlays } from '../../../fakes/withdraw-overlays.ts'
import { plainScreen } from '../../render-screen.tsx'

const shown = (overlay: Overlay, columns: number, rows: number) =>
  plainScreen(deskState({ ...withdrawData(), unknownWrites: [], overlay }), columns, rows).split('\n')

const { currency, beneficiary, amount, review, reviewAll } = withdrawOverlays
const unlocking = (next: typeof amount): Overlay => ({ ...withdrawOverlays.secret, purpose: { kind: 'open', next } })
const overlays: readonly Overlay[] = [
  ...[currency, beneficiary, amount, review, reviewAll, unlocking(amount)],
  paletteWith('withdraw'),
]

test('where a form that moves money leaves little of a small screen, mode and venue are of it', () => {
  for (const overlay of overlays)
    for (const [columns, rows] of [
      [40, 12],
      [60, 16],
      [76, 30],
    ] as const)
      expect(shown(overlay, columns, rows)[0]).toMatch(/^ ARMED {3}PRACTICE /)
})

test('a small screen that takes a withdrawal takes what unlocks it too', () => {
  const lines = shown(unlocking(amount), 40, 12).join('\n')
  for (const words of ['Unlock withdrawals', 'Passphrase: •••••', 'Wrong passphrase or code.'])
    expect(lines).toContain(words)
})

test('on the smallest screen no line of the withdrawal form is cut within a word', () => {
  const lines = shown(currency, 40, 12)
  expect(lines.join('\n')).toMatch(/BTC {3}0\.412 BTC, 3 listed [\s\S]*USD {3}12,004\.11 USD, none listed /)
  for (const overlay of [currency, beneficiary, amount])
    for (const line of shown(overlay, 40, 12).filter((each) => each.startsWith('║')))
      expect(line).toMatch(/(\s|…|[.):]|whitelist)║$/)
  const none = shown({ ...currency, query: 'zzz' }, 40, 12).join('\n')
  expect(none).toContain('deletes')
})
