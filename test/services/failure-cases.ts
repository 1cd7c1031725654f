import type { ExchangeClient } from '../../src/api/exchange-client.ts'
import { Decimal } from '../../src/domain/money.ts'
import { type Answerer, answerWith } from '../api/stub-server.ts'
import { aDraft } from '../fakes/orders.ts'

const html = '<!doctype html><title>Gateway</title>'

/** Statuses with an `error` sentence, and how the notice of an order that meets them begins and goes on. */
export const statusCases: [number, string, string][] = [
  [400, 'The exchange does not accept the request (400): because.', 'Correct it and send it again.'],
  [401, 'The API key was refused (401): because.', 'Check the key and whether it is verified by e-mail.'],
  [
    403,
    'The exchange forbids this (403): because.',
    'See what the key may do; a withdrawal also needs two-factor authentication on the account.',
  ],
  [404, 'The exchange does not know this (404): because.', 'Check the id or symbol, and the base address.'],
  [405, 'The address does not take this kind of call (405): because.', 'Check the base address.'],
  [
    409,
    'The exchange refused, since something has changed or ended meanwhile (409): because.',
    'Check its present state.',
  ],
  [413, 'The request is too long for the exchange (413): because.', 'Ask for less at once.'],
  [415, 'The exchange does not take the form of the request (415): because.', 'Check the base address.'],
  [418, 'The exchange takes no more calls just now (418): because.', 'Try again in 7 s.'],
  [422, 'The exchange cannot act on the request (422): because.', 'Correct it and send it again.'],
  [425, 'The exchange found the request too early (425): because.', 'Try again in 7 s.'],
  [429, 'The exchange takes no more calls just now (429): because.', 'Try again in 7 s.'],
  [451, 'The exchange may not serve this for legal reasons (451): because.', 'Ask the exchange.'],
]

/** The same for statuses after which an order may be live. */
export const openStatusCases: [number, string][] = [
  [301, 'The exchange redirects (301): not followed, to protect the key: because.'],
  [302, 'The exchange redirects (302): not followed, to protect the key: because.'],
  [303, 'The exchange redirects (303): not followed, to protect the key: because.'],
  [304, 'The exchange redirects (304): not followed, to protect the key.'],
  [307, 'The exchange redirects (307): not followed, to protect the key: because.'],
  [308, 'The exchange redirects (308): not followed, to protect the key: because.'],
  [408, 'The exchange did not get the whole request in time (408): because.'],
  [500, 'The exchange failed (500): because.'],
  [501, 'The exchange failed (501): because.'],
  [502, 'The exchange is unreachable: bad gateway (502): because.'],
  [503, 'The exchange is not available (503): because.'],
  [504, 'The exchange timed out behind its gateway (504): because.'],
  [599, 'The exchange failed (599): because.'],
]

/** Answers that are none, and how the notice begins. An order that meets them may be live. */
export const brokenAnswers: [string, Answerer, string][] = [
  [
    'a web page with 200',
    answerWith(200, html, { 'content-type': 'text/html; charset=utf-8' }),
    'A web page came instead of an answer.',
  ],
  ['a web page without a type', answerWith(200, `\n ${html}`), 'A web page came instead of an answer.'],
  ['a web page with 502', answerWith(502, html), 'The exchange is unreachable: bad gateway (502).'],
  ['nothing', answerWith(200), 'The answer is empty.'],
  [
    'another type',
    answerWith(200, 'OK', { 'content-type': 'text/plain' }),
    'The answer is not understood: the JSON is malformed.',
  ],
  [
    'JSON cut off',
    answerWith(200, '{"clOrdId":"a","ordType":'),
    'The answer is not understood: the JSON is malformed.',
  ],
  [
    'another message',
    answerWith(200, '{"hello":"world"}'),
    'The answer is not understood: field "clOrdId" is missing.',
  ],
  [
    'a body that breaks off',
    (response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{"exOrdId":1,')
      response.socket?.destroySoon()
    },
    'The connection was closed by the other side.',
  ],
  ['too much', answerWith(200, 'x'.repeat(6_000)), 'The answer is longer than 5000 bytes.'],
  ['no HTTP', (response) => void response.socket?.end('SSH-2.0-server\r\n\r\n'), 'The answer is not HTTP.'],
  ['a close', (response) => void response.socket?.destroy(), 'The connection was closed by the other side.'],
  ['a reset', (response) => void response.socket?.resetAndDestroy(), 'The connection was reset.'],
]

type Write = [string, (client: ExchangeClient) => Promise<unknown>, string, string]

/** Each write, what is said of it when it had no effect, and when it may have had one. */
export const writes: Write[] = [
  [
    'an order',
    (client) => client.placeOrder({ ...aDraft(), clientOrderId: 'desk1' }),
    'Nothing was placed.',
    'It may be live: checking. Do not resubmit.',
  ],
  [
    'a cancel',
    (client) => client.cancelOrder('7'),
    'Nothing was canceled.',
    'The order may still be working: checking. Canceling it again does no harm.',
  ],
  [
    'a cancel of all',
    (client) => client.cancelAllOrders(null),
    'Nothing was canceled.',
    'Some orders may still be working: checking. Canceling again does no harm.',
  ],
  [
    'a withdrawal',
    (client) => client.createWithdrawal({ currency: 'BTC', beneficiary: 'b-1', amount: new Decimal(1) }),
    'No money was sent.',
    'The money may be on its way: checking. Do not resubmit.',
  ],
  [
    'a deposit address',
    (client) => client.createDepositAddress('BTC'),
    'No address was made.',
    'No money is at risk. Ask for the address again.',
  ],
]
