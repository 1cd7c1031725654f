import type { Practice } from '../../domain/desk/practice-verb.ts'
import { gatewayOrderStates, gatewayPaymentMethods } from '../../domain/gateway/event.ts'
import { idStartMin, isEnded } from '../../domain/gateway/order.ts'
import type { DeskState } from '../desk.ts'
import { gatewayListsOf } from '../gateway/gateway-commands.ts'
import { monitorSentence } from '../mode.ts'
import { practiceReading, practiceWord, practiceWords, readPracticeLine } from '../practice/practice.ts'
import { type Reading, type SentenceReader, symbolsOf, wordsOf, wrong } from './sentence.ts'

const gatewayActs = ['order', 'advance', 'read', 'stop', 'start'] as const

/** The effect of a line on the desk's own practice exchange or gateway. */
function practiceLine(line: string, practice: Practice, state: DeskState, where: 'exchange' | 'gateway'): Reading {
  const request = readPracticeLine(line, practice)
  if (!request.ok) return wrong(request.error)
  const lines = practiceReading(request.value)
  if (state.mode.kind === 'MONITOR') return wrong(...lines, monitorSentence(state))
  return {
    kind: 'understood',
    lines,
    enter: `does it on the practice ${where}`,
    run: (commands) => commands.runPractice(request.value),
  }
}

/** A line to the practice gateway, as if typed after its word. */
function runOnGateway(words: readonly string[], state: DeskState): Reading {
  const { practice } = state
  return practice === null
    ? wrong('Users of the gateway make its orders: a desk does so on its practice gateway only.')
    : practiceLine([practiceWord, ...words].join(' '), practice, state, 'gateway')
}

const isAmount = (word: string): boolean => /^\d+(\.\d+)?$/.test(word)

/** `buy 250 usd btc card`: amount, input, output, and payment method, each optional. */
function readOrder([side = '', ...rest]: readonly string[], state: DeskState): Reading {
  if (side !== 'buy' && side !== 'sell')
    return wrong('Say: gateway order buy 250 usd btc, or: gateway order sell 0.01 btc eur.')
  const method = gatewayPaymentMethods.find((each) => each.toLowerCase() === rest.at(-1))
  const words = method === undefined ? rest : rest.slice(0, -1)
  const [first = '', ...others] = words
  const amount = isAmount(first) ? first : undefined
  const [input, output, ...more] = amount === undefined ? words : others
  if (more.length > 0)
    return wrong(`"${more.join(' ')}" is too much: say amount, input currency, output currency, payment method.`)
  const flags = Object.entries({
    'input-amount': amount,
    'input-currency': input,
    'output-currency': output,
    'payment-method': method,
  }).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]))
  return runOnGateway(['gateway-order', 'create', side, ...flags], state)
}

const isState = (word: string): boolean => gatewayOrderStates.some((each) => each.toLowerCase() === word)

/** The order with this id or start of an id; an id unknown to the inbox is used as typed, if a state follows it. */
function readNamed([typed = '', ...rest]: readonly string[], { gateway }: DeskState): Reading | string | null {
  const ids = gateway.inbox.orders.map(({ orderId }) => orderId)
  const exact = ids.find((id) => id.toLowerCase() === typed)
  const found = exact === undefined ? ids.filter((id) => id.toLowerCase().startsWith(typed)) : [exact]
  if (found.length > 1) return wrong(`${found.length} orders begin with ${typed}: say more of the id.`)
  const isLong = exact !== undefined || typed.length >= idStartMin
  if (found[0] !== undefined && isLong) return found[0]
  return rest.length > 0 && isLong ? typed : null
}

/**
 * Advances the order with the given id, or else the selected one, to its next or the named state; without either the
 * newest that has not ended.
 */
function readAdvance(words: readonly string[], state: DeskState): Reading {
  const { selectedKey } = state.tables.views.inbox
  const { orders } = state.gateway.inbox
  const [first] = words
  const named = first === undefined || isState(first) ? null : readNamed(words, state)
  if (typeof named === 'string') return runOnGateway(['gateway-order', 'advance', named, ...words.slice(1)], state)
  if (named !== null) return named
  const order =
    orders.find(({ orderId }) => orderId === selectedKey) ?? orders.find(({ shown }) => !isEnded(shown.orderState))
  if (order === undefined) return wrong('No order is under way: gateway order buy starts one.')
  return runOnGateway(['gateway-order', 'advance', order.orderId, ...words], state)
}

function readGateway(line: string, state: DeskState): Reading | null {
  const [first, second = '', ...rest] = wordsOf(line)
  if (first !== 'gateway') return null
  if (second === 'order') return readOrder(rest, state)
  if (second === 'advance') return readAdvance(rest, state)
  const lists = gatewayListsOf(state)
  const list = lists.find((each) => each === second)
  if (rest.length > 0 || (list === undefined && !gatewayActs.some((each) => each === second))) {
    return wrong(`After gateway comes ${[...gatewayActs, ...lists].join(', ')}.`)
  }
  if (list !== undefined) {
    return {
      kind: 'understood',
      lines: [`Go to the gateway's ${list}.`],
      enter: 'goes there',
      run: (commands) => commands.showGatewayList(list),
    }
  }
  if (second === 'read') {
    const lines = ['Mark every gateway order received so far as read.']
    return { kind: 'understood', lines, enter: 'marks it as read', run: (commands) => commands.markGatewaySeen() }
  }
  const to = second === 'stop' ? 'stop' : 'start'
  return {
    kind: 'understood',
    lines: [
      to === 'stop'
        ? 'Stop the inbox of this desk: deliveries of the gateway fail, and it retries them.'
        : 'Start the inbox of this desk: it takes what the gateway delivers.',
    ],
    enter: `${to}s it`,
    run: (commands) => commands.switchInbox(to),
  }
}

function gatewayWords(line: string, state: DeskState): readonly string[] {
  const said = wordsOf(line)
  const at = /\s$/.test(line) ? said.length : said.length - 1
  const [, second] = said
  if (at <= 1)
    return [
      ...(state.practice === null ? gatewayActs.filter((act) => act !== 'order' && act !== 'advance') : gatewayActs),
      ...gatewayListsOf(state),
    ]
  if (second === 'advance') return gatewayOrderStates
  if (second !== 'order') return []
  if (at === 2) return ['buy', 'sell']
  const codes = (state.gateway.eligibility.currencies.value ?? []).map(({ code }) => code)
  return [...codes, ...gatewayPaymentMethods]
}

/** Gateway orders in few words: on a practice gateway the desk starts them itself. */
export const gatewaySentence: SentenceReader = {
  name: 'gateway',
  help: 'an order on the practice gateway, its lists, its inbox',
  example: 'gateway order buy 250 usd btc',
  starts: ['gateway'],
  read: readGateway,
  words: gatewayWords,
}

const inboxActs = ['stop', 'start', 'read']

/** Users look for `inbox stop` first; it means the same as `gateway stop`. */
export const inboxSentence: SentenceReader = {
  name: 'inbox',
  help: 'stop or start the inbox of gateway orders in this desk',
  example: 'inbox stop',
  starts: ['inbox'],
  isOffered: ({ gateway: { inbox } }) => inbox.receiver.kind !== 'none' && inbox.receiver.kind !== 'elsewhere',
  read(line, state): Reading | null {
    const [first, act = '', ...rest] = wordsOf(line)
    if (first !== 'inbox') return null
    if (!inboxActs.includes(act) || rest.length > 0)
      return wrong('Say inbox stop, inbox start, or inbox read for all that came in so far.')
    return gatewaySentence.read(`gateway ${act}`, state)
  },
  words: () => inboxActs,
}

function readPractice(line: string, state: DeskState): Reading | null {
  const { practice } = state
  return practice === null || wordsOf(line)[0] !== practiceWord ? null : practiceLine(line, practice, state, 'exchange')
}

function practiceWordsFor(line: string, state: DeskState): readonly string[] {
  if (state.practice === null) return []
  const rules = [...(state.instruments.value?.values() ?? [])]
  const currencies = [...new Set(rules.flatMap(({ base, counter }) => [base, counter]))]
  const { eligibility, inbox } = state.gateway
  return practiceWords(line, state.practice, {
    symbols: symbolsOf(state),
    currencies,
    gatewayCurrencies: (eligibility.currencies.value ?? []).map(({ code }) => code),
    gatewayOrders: inbox.orders.filter(({ shown }) => !isEnded(shown.orderState)).map(({ orderId }) => orderId),
  })
}

/** Every action of `pitdesk sandbox admin`, for a desk with its own practice exchange. */
export const practiceSentence: SentenceReader = {
  name: practiceWord,
  help: 'halts, deposits, faults … on the practice exchange',
  example: `${practiceWord} symbol status btc-usd halt`,
  starts: [practiceWord],
  isOffered: ({ practice }) => practice !== null,
  read: readPractice,
  words: practiceWordsFor,
}
