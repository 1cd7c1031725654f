import { expect, test } from 'vitest'
import { feeds } from '../../../src/domain/desk/feeds.ts'
import { deskNowMs, deskState } from '../../fakes/desk-state.ts'
import { plainScreen } from '../render-screen.tsx'

test('old fees are said to be so from the second on in which they are, in the middle of a minute too', () => {
  const view = { layout: 'trade', isZoomed: true } as const
  const titleAt = (overMs: number) => {
    const fees = { ...deskState().fees, atMs: deskNowMs - feeds.fees.staleAfterMs - overMs }
    return plainScreen(deskState({ focus: 'session', view, fees }), 100, 30)
  }
  expect(titleAt(0)).not.toContain('STALE')
  // The desk's time is seven seconds into its minute.
  expect(titleAt(1_000)).toMatch(/0 Session\s+STALE/)
})
