import { expect, test } from 'vitest'
import { commandTable } from '../../../src/commands/command-table.ts'
import { readSentence } from '../../../src/store/sentences/sentences.ts'
import { paletteItems } from '../../../src/ui/overlays/palette/palette-items.ts'
import { deskState } from '../../fakes/desk-state.ts'
import { saidOf } from './said.ts'

const state = deskState()
const said = (line: string) => saidOf(line, state)
const inShell = 'begins a command in a shell. Here a line begins with what it does, and a cancel asks first.'

test.each([
  ['plan trail sell 0.1 btc by 200', `? "plan" ${inShell} -> trail sell 0.1 btc by 200`],
  ['plan add trail sell 0.1 btc by 200 --yes', `? "plan" ${inShell} -> trail sell 0.1 btc by 200`],
  ['pitdesk plan place oco sell 0.1 btc', `? "plan" ${inShell} -> oco sell 0.1 btc`],
  ['plans trail sell 0.1 btc by 200', `? "plans" ${inShell} -> trail sell 0.1 btc by 200`],
  ['plan cancel p1 --leave', `? "plan" ${inShell} -> cancel plan p1 leave`],
  ['plan edit p1 stop 63500', `? "plan" ${inShell} -> edit plan p1 stop 63500`],
  ['plan resume p1', `? "plan" ${inShell} -> resume p1`],
  ['plan list', `? "plan" ${inShell} -> plans`],
  ['plan', `? "plan" ${inShell} -> plans`],
  ['orders cancel 15116', `? "orders" ${inShell} -> cancel 15116`],
  [
    'order place sell 0.1 BTC-USD --limit=64500 --tif IOC --yes',
    `? "order" ${inShell} -> sell 0.1 BTC-USD @ 64500 IOC`,
  ],
  [
    'order place buy 0.1 btc --limit 64000 --tif GTD --expire 2026-12-31 --post-only --profile main',
    `? "order" ${inShell} -> buy 0.1 btc @ 64000 gtd 2026-12-31 post`,
  ],
  [
    'order place sell 0.1 BTC-USD --stop 63000 --limit 62900',
    `? "order" ${inShell} -> sell 0.1 BTC-USD stop 63000 @ 62900`,
  ],
  ['order amend 15116', '! An order is moved with a key: choose it in 2 Orders and press m.'],
  [
    'order drafts',
    '? "order drafts" is a command for a shell. Here 2 Orders lists orders and drafts. -> go to 2 Orders',
  ],
  ['withdraw BTC 0.1 --to cold-1', `? "withdraw" ${inShell} -> withdraw 0.1 btc to cold-1`],
  ['withdraw BTC --max --to cold-1', `? "withdraw" ${inShell} -> withdraw all btc to cold-1`],
  ['firm halt', '? NOT halted: "firm halt" is a command for a shell. halt here is for this desk. -> halt'],
  ['fees', '? "fees" is a command for a shell. Here 0 Session shows it. -> go to 0 Session'],
  ['book eth-usd', '? "book" is a command for a shell. Here the ladder shows it. -> symbol eth-usd'],
  ['doctor', '! "doctor" is a command for a shell, beside this desk: pitdesk doctor.'],
  ['help plans', '? The manual is for a shell: pitdesk help plans. Here help lists every key. -> help'],
  ['pitdesk buy 0.1 btc', `? "pitdesk" ${inShell} -> buy 0.1 btc`],
  ['npm start', '! This is the desk. A line begins with what it does: buy 0.1 btc.'],
])('a command of the shell leads to the line that does the same: %s', (line, what) => {
  expect(said(line)).toBe(what)
})

test('a stop-limit order of the shell is one here too', () => {
  expect(said('sell 0.1 BTC-USD stop 63000 @ 62900')).toContain('= Sell 0.1 BTC-USD')
})

const itemsOf = (line: string) =>
  paletteItems({ ...state, overlay: { kind: 'palette', line, caret: line.length, selected: 0, historyAt: null } }, [])

/** Panes and keys have these names too: alone they are taken for them. */
const names = new Set(['orders', 'fills', 'balances', 'tickers', 'lock', 'help', 'order', 'gateway'])

test.each(commandTable.map(({ name }) => name))('the palette answers what is typed in a shell: %s', (name) => {
  const words = name.split(' ')
  const lines = [name, `pitdesk ${name}`, `${name} --json`].filter((line) => !names.has(line))
  for (const line of lines) {
    const reading = readSentence(line, state)
    expect([line, reading?.lines.join(' ')]).toEqual([line, expect.stringMatching(/\w/)])
    // What it says is neither a slip of something else, nor the question that was typed.
    expect(reading?.lines.join(' ')).not.toContain('Nothing begins with')
    if (reading?.kind === 'wrong') expect(reading.instead ?? []).not.toContain(line)
  }
  expect(words.length).toBeLessThanOrEqual(3)
})

test('names of panes are no slips, and a share alone is an order that lacks its side, not a halt', () => {
  for (const line of ['log', 'fills', 'equity', 'lock', 'orders']) expect(said(line)).toBe('~')
  expect(said('half')).toBe('? Buy or sell? An order says which. -> buy half / sell half')
  expect(said('half my btc')).toBe('? Buy or sell? An order says which. -> buy half my btc / sell half my btc')
  expect(said('hatl')).toContain('halt')
  expect(itemsOf('half').map(({ text }) => text)).not.toContain('halt')
})
