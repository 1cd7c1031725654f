import { expect, test } from 'vitest'
import { createCommands } from '../../../src/store/commands.ts'
import type { DeskState } from '../../../src/store/desk.ts'
import { createDeskStore } from '../../../src/store/store.ts'
import { bindingOf, handleInput } from '../../../src/ui/keys/handle-input.ts'
import { keymap } from '../../../src/ui/keys/keymap.ts'
import { characterKey } from '../../../src/ui/terminal/key-sequences.ts'
import { createKeyTokenizer } from '../../../src/ui/terminal/key-tokenizer.ts'
import { deskNowMs, deskState } from '../../fakes/desk-state.ts'
import { recordingPort } from '../../fakes/recording-port.ts'
import { onScreen } from '../render-screen.tsx'

function desk(state: DeskState = deskState()) {
  const store = createDeskStore(onScreen(state, 120, 40))
  const asked: string[] = []
  const commands = createCommands({
    store,
    port: recordingPort(() => deskNowMs, asked),
    exit: () => asked.push('exit'),
  })
  const tokenizer = createKeyTokenizer()
  const take = (bytes: string) => {
    for (const event of tokenizer.push(bytes)) handleInput(event, store, commands)
  }
  return { take, state: () => store.getState(), asked }
}

const empty = 'b\u0015'
const safe = deskState({ mode: { kind: 'SAFE' } })
const quantity = (state: DeskState) => state.ticket?.form.quantityText

test.each(['HALF', 'ALL', 'MAX', '5 USD', '0.5 LTC', '1 XLM', '2 ZEC', 'QUARTER'])(
  '%s typed as a size is text, and changes neither mode nor screen',
  (word) => {
    for (const state of [safe, deskState()]) {
      const { take, state: now } = desk(state)
      take(`${empty}${word}`)
      expect(quantity(now())).toBe(word)
      expect([now().mode.kind, now().lock.kind, now().overlay]).toEqual([state.mode.kind, 'open', null])
    }
  },
)

test('on a halted desk no letter of a size ends the halt', () => {
  const { take, state } = desk()
  take(empty)
  const halted = desk({ ...state(), mode: { kind: 'HALTED' } })
  halted.take('HALF')
  expect([halted.state().mode.kind, quantity(halted.state())]).toEqual(['HALTED', 'HALF'])
})

test('L behind digits is text too, and is told with what arms', () => {
  const { take, state } = desk(safe)
  take(`${empty}5L`)
  expect([quantity(state()), state().mode.kind]).toEqual(['5L', 'SAFE'])
  expect(state().notice?.text).toBe('L is text behind 5. Tab, then L.')
  take('\u007f\tL')
  expect([quantity(state()), state().mode.kind]).toEqual(['5', 'ARMED'])
})

test('in a move L behind digits is text', () => {
  const { take, state } = desk()
  take('2jjjm61L')
  expect([state().move?.priceText, state().mode.kind]).toEqual(['61L', 'ARMED'])
})

test.each([
  ['in an empty field', `${empty}L`],
  ['over what stands there untouched', 'bL'],
  ['in a choice', 'b\u001b[ZL'],
])('%s L arms as ever', (_, keys) => {
  const { take, state } = desk(safe)
  take(keys)
  expect(state().mode.kind).toBe('ARMED')
})

test('F behind digits takes the value that passes, behind a letter it is one', () => {
  const { take, state } = desk()
  take(`${empty}999999F`)
  expect(quantity(state())).not.toBe('999999F')
  take(`\u0015HALF`)
  expect(quantity(state())).toBe('HALF')
})

test('behind typed text no letter of any field arms, leaves, sends or cancels', () => {
  const fields = [`${empty}5`, `${empty}HA`, 'b\t\u00155', '2jjjm5', '2jjjm\t5']
  const letters = new Set(keymap.flatMap(({ keys }) => keys).filter((key) => /^\p{L}$/u.test(key)))
  const acting = fields.flatMap((keys) => {
    const { take, state } = desk()
    take(keys)
    return [...letters].flatMap((letter) => {
      const event = characterKey(letter)
      const binding = event === null ? undefined : bindingOf(event, state())
      const acts = binding?.caution !== undefined || ![undefined, 'asks'].includes(binding?.danger)
      return acts ? [`${keys} ${letter} ${binding?.action}`] : []
    })
  })
  expect(letters.size).toBeGreaterThan(20)
  expect(acting).toEqual([])
})
