import { expect, test } from 'vitest'
import { createCommands } from '../../../src/store/commands.ts'
import type { DeskState } from '../../../src/store/desk.ts'
import { createDeskStore } from '../../../src/store/store.ts'
import { footLine } from '../../../src/ui/console/foot-rows.ts'
import { handleInput } from '../../../src/ui/keys/handle-input.ts'
import { createInputGuard } from '../../../src/ui/keys/input-guard.ts'
import { keymapOf } from '../../../src/ui/keys/keymap.ts'
import { haltAnswers, haltQuestion } from '../../../src/ui/overlays/confirm.tsx'
import { createKeyTokenizer } from '../../../src/ui/terminal/key-tokenizer.ts'
import { rowText } from '../../../src/ui/text/row.ts'
import { deskNowMs, deskState } from '../../fakes/desk-state.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { recordingPort } from '../../fakes/recording-port.ts'
import { onScreen } from '../render-screen.tsx'

/** A desk that is driven by bytes, a second for each key as of a person who types with care. */
function desk(state: DeskState = deskState()) {
  const clock = new FakeClock(deskNowMs)
  const store = createDeskStore(onScreen(state, 120, 40))
  const asked: string[] = []
  const port = recordingPort(() => clock.now(), asked)
  const commands = createCommands({ store, port, exit: () => asked.push('exit') })
  const whyNot = createInputGuard(store, clock)
  const tokenizer = createKeyTokenizer()
  const press = async (bytes: string, pauseMs = 1_000) => {
    for (const key of bytes.match(/\u001b(\[Z|OS)?|./gsu) ?? []) {
      await clock.advance(pauseMs)
      for (const event of [...tokenizer.push(key), ...tokenizer.flush()]) {
        const refusal = whyNot(event)
        if (refusal === null) handleInput(event, store, commands)
        else commands.explain(refusal)
      }
    }
  }
  const question = () => {
    const { overlay } = store.getState()
    return overlay?.kind === 'halt' ? haltQuestion(store.getState(), overlay) : null
  }
  const answers = () => {
    const { overlay } = store.getState()
    return overlay?.kind === 'halt' ? rowText(haltAnswers(keymapOf(store.getState()), store.getState())) : null
  }
  return { press, question, answers, asked, state: () => store.getState() }
}

const opened = 'b\u0015'

test('K behind an amount asks, and Enter alone halts nothing: K once more does', async () => {
  const { press, question, answers, asked, state } = desk()
  await press(`${opened}5K`)
  expect(question()).toMatch(
    /^K came behind 5\. K once more halts, Esc goes back\. Thousands: 5k\. Halt: no new orders/,
  )
  expect(answers()).toContain('K HALT + CANCEL')
  expect(answers()).not.toContain('Enter')
  expect(rowText(footLine(state(), 80))).toMatch(/^ K HALT \+ CANCEL/)
  await press('\r')
  expect(state().notice?.text).toBe('Not halted: K came behind 5. K once more halts, Esc goes back.')
  expect([asked, state().mode.kind]).toEqual([[], 'ARMED'])
  await press('K')
  expect([asked, state().mode.kind]).toEqual([['cancel all BTC-USD'], 'HALTED'])
})

test('Esc goes back to the field with its text', async () => {
  const { press, asked, state } = desk()
  await press(`${opened}5K\u001bk`)
  expect(state().overlay).toBeNull()
  expect(state().ticket).toMatchObject({ stage: 'edit', form: { quantityText: '5k' } })
  expect(asked).toEqual([])
})

test('what is typed on is no answer to the question', async () => {
  const { press, asked, state } = desk()
  await press(`${opened}1K USD\r`)
  expect(state().overlay).toMatchObject({ kind: 'halt', typed: '' })
  expect(asked).toEqual([])
  await press('ALL\r')
  expect(asked).toEqual([])
  await press('K')
  expect(asked).toEqual(['cancel all every symbol'])
})

test('a key that strikes twice is one K, and K after a look halts', async () => {
  const { press, asked, state } = desk()
  await press(`${opened}5K`)
  await press('K', 90)
  expect(state().notice?.text).toBe('Not halted: too soon. K once more halts.')
  expect(asked).toEqual([])
})

test.each([
  ['the price of a ticket', 'b\t\u001564K', '64'],
  ['the stop of a bracket', 'b\u001bOS63K', '63'],
  ['a move', '2jjjm61K', '61'],
  ['the quantity of a move', '2jjjm\t1K', '1'],
])('in %s too', async (_, keys, behind) => {
  const { press, asked, state } = desk()
  await press(keys)
  expect(state().overlay).toMatchObject({ kind: 'halt', behind })
  await press('\r')
  expect(asked.filter((each) => each.startsWith('cancel'))).toEqual([])
})

test.each([
  ['in an empty field', `${opened}K\r`],
  ['over what stands there untouched', 'bK\r'],
  ['in a choice', 'b\u001b[ZK\r'],
  ['on the desk', 'K\r'],
  ['from the palette over a field with text', `${opened}5:halt\r\r`],
])('%s K then Enter halts as ever', async (_, keys) => {
  const { press, asked } = desk()
  await press(keys)
  expect(asked).toEqual(['cancel all BTC-USD'])
})
