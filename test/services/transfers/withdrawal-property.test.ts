import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { aFolder } from '../../journal/scene.ts'
import { startMs } from '../reconciliation/scene.ts'
import { aWithdrawalMachine, contentOf, itemOf, letPass, type Mishap, places, type Way } from './withdrawal-machine.ts'

const way = fc.oneof(
  fc.constant<Way>({ takesEffect: true, hears: 'yes' }),
  fc.record({ takesEffect: fc.boolean(), hears: fc.constant('unknown' as const) }),
  fc.constantFrom<Way[]>({ takesEffect: false, hears: 'refused' }, { takesEffect: false, hears: 'notSent' }),
)
const mishap = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Mishap>(null) },
  {
    weight: 3,
    arbitrary: fc.record({
      place: fc.constantFrom(...places),
      kind: fc.constantFrom('diesBefore' as const, 'diesAfter' as const, 'diskRefuses' as const),
    }),
  },
)
const item = fc.nat(2)
const desk = fc.nat(1)
const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('save' as const), item, tenths: fc.nat(2), desk }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('drop' as const), item, desk }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      item,
      desk,
      way,
      mishap,
      isHeld: fc.nat(9).map((n) => n === 0),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('sendFromBoth' as const), item, way }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(500, 5_000, 40_000) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('outage' as const), isDown: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const), desk }) },
)

test('no sequence of drafts, sends, faults and restarts sends one draft twice, and each is told of as it went', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 16 }), async (steps) => {
      const clock = new FakeClock(startMs)
      const { venue, state, startDesk } = aWithdrawalMachine(aFolder(), clock)
      const desks = [await startDesk(), await startDesk()]
      const at = desks.map((each) => ({ desk: each }))
      const restart = async (index: number) => {
        const seat = at[index]
        if (seat === undefined) return
        await seat.desk.kill()
        seat.desk = await startDesk()
      }
      for (const each of steps) {
        if (each.do === 'wait') await clock.advance(each.ms)
        else if (each.do === 'outage') venue.isDown = each.isDown
        else if (each.do === 'restart') await restart(each.desk)
        else if (each.do === 'sendFromBoth') {
          state.way = each.way
          const sent = at.map((seat) => seat.desk.queue.send(`d${each.item}`, []))
          await letPass(clock, Promise.all(sent))
        } else {
          const seat = at[each.desk]
          if (seat === undefined) continue
          const { queue, life } = seat.desk
          if (each.do === 'save') await letPass(clock, queue.save(`d${each.item}`, contentOf(each.item, each.tenths)))
          if (each.do === 'drop') await letPass(clock, queue.drop(`d${each.item}`))
          if (each.do !== 'send') continue
          Object.assign(state, { way: each.way, isHeld: each.isHeld })
          life.mishap = each.mishap
          const died = new Promise((resolve) => Object.assign(life, { died: () => resolve('dead') }))
          await letPass(clock, queue.send(`d${each.item}`, []), died)
          life.mishap = null
          state.isHeld = false
          if (life.isDead) await restart(each.desk)
        }
      }
      venue.isDown = false
      // The last word: one desk after the others, so that nothing is left to those that are gone.
      for (const { desk: each } of at) await each.kill()
      const last = await startDesk()
      for (let beats = 0; beats < 500 && last.journal.open().length > 0; beats += 1) {
        // Each beat waits until the desk has come to its next pause, however slow the disk is.
        await clock.paused()
        await Promise.all(last.beside)
        await clock.advance(500)
      }
      await letPass(clock, last.queue.takeUp())
      const sent = venue.withdrawals
        .map(({ amount }) => itemOf(amount))
        .sort((left, right) => left.localeCompare(right))
      const told = last.drafts()
      const left = last.journal.open()
      await last.kill()
      expect(left).toEqual([])
      expect(new Set(sent).size).toBe(sent.length)
      expect(told.filter((draft) => ['sending', 'unknown'].includes(draft.state.kind))).toEqual([])
      const saidSent = told.filter((draft) => draft.state.kind === 'sent')
      expect(saidSent.map(({ amount }) => (amount === 'max' ? 'max' : itemOf(amount))).sort()).toEqual(sent)
    }),
    { numRuns: 120 },
  )
})
