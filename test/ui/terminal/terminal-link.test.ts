import { expect, test } from 'vitest'
import { namedKey, readReport } from '../../../src/ui/terminal/key-sequences.ts'
import { answerMaxMs, createTerminalLink, typedAheadMs } from '../../../src/ui/terminal/terminal-link.ts'
import { FakeClock, settle } from '../../fakes/fake-clock.ts'

const opened = '\u001b[?1049h'
const closed = '\u001b[?1049l'

function linked(term: string | undefined, wantsFocus = true, asks: 'withScreen' | 'later' = 'withScreen') {
  const clock = new FakeClock()
  const told: string[] = []
  const grounds: (string | null)[] = []
  const link = createTerminalLink({
    env: term === undefined ? {} : { TERM: term },
    clock,
    wantsFocus,
    asks,
    onFocus: (isHere) => told.push(isHere ? 'here' : 'elsewhere'),
    onTypedAhead: (count) => told.push(`${count} typed ahead`),
    onGround: (color) => grounds.push(color),
  })
  return { clock, link, told, grounds }
}

const key = namedKey('x')

test('what a terminal may be asked goes with its name', () => {
  for (const [term, text] of [
    ['xterm-256color', '\u001b[?1049h\u001b[?2026$p\u001b]11;?\u0007\u001b[c\u001b[?1004h'],
    ['screen', '\u001b[?1049h\u001b[?2026$p\u001b]11;?\u0007\u001b[c\u001b[?1004h'],
    ['linux', '\u001b[?1049h\u001b[c\u001b[?1004h'],
    ['dumb', opened],
    [undefined, opened],
  ] as const) {
    expect(linked(term).link.dressed(opened)).toBe(text)
  }
  expect(linked('xterm').link.dressed(closed)).toBe(`\u001b[?1004l${closed}`)
  expect(linked('xterm', false).link.dressed(opened)).not.toContain('1004')
  expect(linked('xterm').link.dressed('a picture')).toBe('a picture')
})

test('the name is a hint until the terminal has said whether it knows the marks', () => {
  const knows = linked('screen')
  expect(knows.link.hasMarks).toBe(false)
  knows.link.dressed(opened)
  knows.link.told({ kind: 'mode', mode: 2026, isKnown: true })
  expect(knows.link.hasMarks).toBe(true)
  const mute = linked('xterm-256color')
  mute.link.dressed(opened)
  expect(mute.link.hasMarks).toBe(true)
  mute.link.told({ kind: 'mode', mode: 1, isKnown: false })
  expect(mute.link.hasMarks).toBe(true)
  mute.link.told({ kind: 'mode', mode: 2026, isKnown: false })
  expect(mute.link.hasMarks).toBe(false)
})

test('a terminal that says what it is, and nothing of the mode, does not know it; one that was not asked keeps its name', () => {
  const old = linked('xterm')
  old.link.dressed(opened)
  old.link.told({ kind: 'identity' })
  expect(old.link.hasMarks).toBe(false)
  // However late it comes.
  old.link.told({ kind: 'mode', mode: 2026, isKnown: true })
  expect(old.link.hasMarks).toBe(true)
  const unasked = linked('xterm')
  unasked.link.told({ kind: 'identity' })
  expect(unasked.link.hasMarks).toBe(true)
})

test('keys before the answer were typed before the screen was there: all but leaving are dropped and told of once', () => {
  const { link, told } = linked('xterm')
  expect(link.isTypedAhead(key)).toBe(false)
  link.dressed(opened)
  expect(link.isAnswerDue()).toBe(true)
  expect([link.isTypedAhead(key), link.isTypedAhead({ kind: 'paste', text: 'K' })]).toEqual([true, true])
  expect(link.isTypedAhead(namedKey('ctrl+c'))).toBe(false)
  link.told({ kind: 'identity' })
  expect(link.isAnswerDue()).toBe(false)
  expect(link.isTypedAhead(key)).toBe(false)
  expect(told).toEqual(['2 typed ahead'])
})

test.each(['xterm', 'dumb'])(
  'what a desk that is still being opened did not take is told once it is there (%s)',
  (term) => {
    const { link, told } = linked(term, true, 'later')
    link.dressed(opened)
    link.notTaken()
    link.notTaken()
    expect(told).toEqual([])
    link.ask()
    if (term !== 'dumb') link.told({ kind: 'identity' })
    expect(told).toEqual(['2 typed ahead'])
  },
)

test('what came early is read late where the program was busy: it was typed ahead all the same', async () => {
  const { clock, link, told } = linked('xterm')
  link.dressed(opened)
  clock.standStill(typedAheadMs + 400)
  expect(link.isTypedAhead(key)).toBe(true)
  // What waited in the terminal has been read by then.
  await settle()
  await settle()
  expect(link.isTypedAhead(key)).toBe(false)
  expect(told).toEqual(['1 typed ahead'])
})

test('a terminal that never answers is not waited for longer', async () => {
  const { clock, link, told } = linked('xterm')
  link.dressed(opened)
  await clock.advance(typedAheadMs - 1)
  expect(link.isTypedAhead(key)).toBe(true)
  await clock.advance(1)
  expect(link.isTypedAhead(key)).toBe(false)
  expect(told).toEqual(['1 typed ahead'])
  // What looks like the start of an answer is still waited for.
  expect(link.isAnswerDue()).toBe(true)
  await clock.advance(answerMaxMs)
  expect(link.isTypedAhead(key)).toBe(false)
  expect(link.isAnswerDue()).toBe(false)
})

test('what was typed ahead is told by a terminal that never answers too, without a further key', async () => {
  const { clock, link, told } = linked('xterm')
  link.dressed(opened)
  expect(link.isTypedAhead(key)).toBe(true)
  await settle()
  await settle()
  await clock.advance(typedAheadMs)
  await settle()
  await settle()
  expect(told).toEqual(['1 typed ahead'])
  // Its answer, however late, tells of nothing again.
  link.told({ kind: 'identity' })
  expect(told).toEqual(['1 typed ahead'])
})

test('after the terminal was left and taken again it is asked again', () => {
  const { link, told } = linked('xterm')
  link.dressed(opened)
  link.told({ kind: 'mode', mode: 2026, isKnown: true })
  link.told({ kind: 'identity' })
  expect(link.isTypedAhead(key)).toBe(false)
  link.dressed(closed)
  // The shell has the screen.
  expect(link.isTypedAhead(namedKey('ctrl+c'))).toBe(true)
  link.dressed(opened)
  expect(link.isTypedAhead(key)).toBe(true)
  // It may be another one by now.
  link.told({ kind: 'identity' })
  expect(link.hasMarks).toBe(false)
  expect(told).toEqual(['2 typed ahead'])
})

test('the ground is told as the terminal says it; one that says what it is, or nothing in time, has none', async () => {
  const says = linked('xterm')
  expect(says.link.isGroundDue()).toBe(false)
  says.link.dressed(opened)
  expect(says.link.isGroundDue()).toBe(true)
  says.link.told({ kind: 'ground', color: '#ffffff' })
  says.link.told({ kind: 'identity' })
  expect(says.link.isGroundDue()).toBe(false)
  await says.clock.advance(answerMaxMs)
  expect(says.grounds).toEqual(['#ffffff'])
  const old = linked('xterm')
  old.link.dressed(opened)
  old.link.told({ kind: 'identity' })
  expect(old.grounds).toEqual([null])
  // However late it comes.
  old.link.told({ kind: 'ground', color: '#000000' })
  expect(old.grounds).toEqual([null, '#000000'])
  const mute = linked('xterm')
  mute.link.dressed(opened)
  await mute.clock.advance(answerMaxMs)
  expect([mute.grounds, mute.link.isGroundDue()]).toEqual([[null], false])
})

test('nobody waits for the ground of a terminal that was not asked, or that the shell has again', async () => {
  const left = linked('xterm')
  left.link.dressed(opened)
  left.link.dressed(closed)
  const unasked = linked('linux')
  unasked.link.dressed(opened)
  expect([left.clock.sleeperCount, unasked.clock.sleeperCount]).toEqual([0, 0])
  await left.clock.advance(answerMaxMs)
  expect([left.grounds, unasked.grounds, unasked.link.isGroundDue()]).toEqual([[], [], false])
})

test('the keyboard is reported as it comes and goes', () => {
  const { link, told } = linked('xterm')
  link.told({ kind: 'focus', isHere: false })
  link.told({ kind: 'focus', isHere: true })
  expect(told).toEqual(['elsewhere', 'here'])
})

test('reports are read as what they say, and keys are none', () => {
  expect(readReport('[', '', 'I')).toEqual({ kind: 'focus', isHere: true })
  expect(readReport('[', '', 'O')).toEqual({ kind: 'focus', isHere: false })
  expect(readReport('[', '?62;22', 'c')).toEqual({ kind: 'identity' })
  for (const [state, isKnown] of [
    [0, false],
    [1, true],
    [2, true],
    [3, true],
    [4, false],
  ] as const)
    expect(readReport('[', `?2026;${state}$`, 'y')).toEqual({ kind: 'mode', mode: 2026, isKnown })
  for (const [body, color] of [
    ['11;rgb:ffff/f6f6/0000', '#fff600'],
    ['11;rgb:ff/80/00', '#ff8000'],
    ['11;rgb:f/8/0', '#ff8800'],
    ['11;rgba:0000/0000/0000/ffff', '#000000'],
    ['11;#FDF6E3', '#fdf6e3'],
  ] as const)
    expect(readReport(']', body, '')).toEqual({ kind: 'ground', color })
  for (const [introducer, body, final] of [
    [']', '11;rgb:ff/80', ''],
    [']', '11;rgb:fffff/0/0', ''],
    [']', '10;rgb:ff/ff/ff', ''],
    [']', '11;?', ''],
    ['[', '', 'A'],
    ['O', '', 'I'],
    ['[', '1;5', 'I'],
    ['[', '', 'c'],
    ['[', '?2026;9$', 'y'],
    ['[', '5', '~'],
  ] as const)
    expect(readReport(introducer, body, final)).toBeNull()
})

/** A link with all that can be asked of a terminal, and what goes there by itself. */
function asking() {
  const clock = new FakeClock()
  const written: string[] = []
  const mouse: string[] = []
  const link = createTerminalLink({
    ...{ env: { TERM: 'xterm' }, clock, wantsFocus: true, wantsCodes: true },
    write: (text) => written.push(text),
    marks: { begin: () => '<title>', end: () => '</title>' },
    onMouse: ({ act, column, row }) => mouse.push(`${act} ${column},${row}`),
    ...{ onFocus: () => {}, onTypedAhead: () => {}, onGround: () => {} },
  })
  return { clock, link, written, mouse }
}
const codesOn = '\u001b[>31u\u001b[?u'
const codesOff = '\u001b[<u'
const mouseOn = '\u001b[?1000h\u001b[?1006h'
const mouseOff = '\u001b[?1006l\u001b[?1000l'
const told = (link: ReturnType<typeof asking>['link'], sequence: string) => {
  const match = /^\u001b\[([^A-Za-z]*)([A-Za-z])$/.exec(sequence)
  const report = readReport('[', match?.[1] ?? '', match?.[2] ?? '')
  if (report !== null) link.told(report)
}

test('codes for keys are asked with the other questions, set where they are known, and taken back at the end', () => {
  const { link, written } = asking()
  expect(link.dressed(opened)).toBe(`${opened}<title>\u001b[?2026$p\u001b]11;?\u0007\u001b[?u\u001b[c\u001b[?1004h`)
  expect(link.isKeyCoded()).toBe(false)
  told(link, '\u001b[?0u')
  expect([written, link.isKeyCoded()]).toEqual([[codesOn], true])
  told(link, '\u001b[?31u')
  expect([written.length, link.isKeyCoded()]).toEqual([1, true])
  // What is still on its way, such as the release of the key that leaves, comes before the answer.
  expect(link.farewell()).toBe(`${codesOff}\u001b[c`)
  expect([link.farewell(), link.isKeyCoded()]).toEqual(['', false])
  expect(link.dressed(closed)).toBe(`</title>\u001b[?1004l${closed}`)
})

test('a crash takes everything back, and an answer that comes late sets nothing again', () => {
  const { link, written } = asking()
  link.setMouse(true)
  link.dressed(opened)
  told(link, '\u001b[?0u')
  expect(link.dressed(closed)).toBe(`</title>${mouseOff}${codesOff}\u001b[?1004l${closed}`)
  told(link, '\u001b[?0u')
  link.setMouse(false)
  link.setMouse(true)
  expect(written).toEqual([codesOn])
  // Back from the shell it is asked again.
  expect(link.dressed(opened)).toContain(`\u001b[?u\u001b[c\u001b[?1004h${mouseOn}`)
})

test('a terminal that would tell keys in part tells them as ever, and so does one that does not answer', () => {
  const { link, written } = asking()
  link.dressed(opened)
  told(link, '\u001b[?0u')
  told(link, '\u001b[?7u')
  expect([written, link.isKeyCoded()]).toEqual([[codesOn, codesOff], false])
  told(link, '\u001b[?31u')
  expect(link.isKeyCoded()).toBe(false)
  const mute = asking()
  mute.link.dressed(opened)
  told(mute.link, '\u001b[?62c')
  expect([mute.written, mute.link.isKeyCoded(), mute.link.farewell()]).toEqual([[], false, ''])
})

test('the mouse reports only where it is wished for, to a desk that has the screen', () => {
  const { link, written, mouse } = asking()
  told(link, '\u001b[<0;3;4M')
  link.dressed(opened)
  told(link, '\u001b[<0;3;4M')
  expect([written, mouse]).toEqual([[], []])
  link.setMouse(true)
  for (const bytes of ['<0;3;4M', '<0;3;4m', '<64;1;1M', '<65;200;60M', '<2;3;4M', '<4;3;4M', '<32;3;4M'])
    told(link, `\u001b[${bytes}`)
  expect(mouse).toEqual(['press 2,3', 'wheelUp 0,0', 'wheelDown 199,59'])
  link.setMouse(false)
  expect(written).toEqual([mouseOn, mouseOff])
  told(link, '\u001b[<0;3;4M')
  expect(mouse).toHaveLength(3)
})

test('at its end a desk waits a second for answers that are due, however late its end comes; none are due once all came', async () => {
  const late = linked('xterm')
  late.link.dressed(opened)
  await late.clock.advance(10 * answerMaxMs)
  expect(late.link.isTypedAhead(namedKey('ctrl+c'))).toBe(false)
  expect(late.link.endAnswers()).toBe(answerMaxMs)
  expect(late.link.endAnswers()).toBe(0)
  const answered = linked('xterm')
  answered.link.dressed(opened)
  answered.link.told({ kind: 'identity' })
  expect(answered.link.endAnswers()).toBe(0)
  // One that has answered nothing by the time that a person types at it never will.
  const mute = linked('xterm')
  mute.link.dressed(opened)
  await mute.clock.advance(answerMaxMs)
  expect(mute.link.isTypedAhead(key)).toBe(false)
  expect(mute.link.endAnswers()).toBe(0)
})
