import { describe, expect, test } from 'vitest'
import { gatewayVerbs } from '../../../src/sandbox/admin/gateway-verbs.ts'
import { paymentCurrencies } from '../../../src/sandbox/gateway/world/catalog.ts'
import { acme, FakeGatewayWorld } from '../../fakes/fake-gateway-world.ts'

const beta = { ...acme, name: 'beta', key: 'pk-beta' }

/** The verbs on a world of two partners, and how to give them. */
function openVerbs() {
  const world = new FakeGatewayWorld([acme, beta])
  const verbs = gatewayVerbs(world)
  const give = async (command: string, values: unknown) => {
    const found = verbs.find(({ noun, name }) => `${noun} ${name}` === command)
    if (found === undefined) throw new Error(`there is no ${command}`)
    const { status, body } = await found.run({
      text: JSON.stringify(values),
      contentType: null,
      contentEncoding: null,
    })
    const json: unknown = JSON.parse(body ?? 'null')
    return { status, json }
  }
  return { world, give }
}

describe('partner add', () => {
  test('makes a partner with a key, which opens the door', async () => {
    const { world, give } = openVerbs()
    expect(await give('partner add', { name: 'gamma', feeRate: '0.0050' })).toEqual({
      status: 200,
      json: { name: 'gamma', partnerKey: 'pk-gamma', feeRate: '0.005' },
    })
    expect(world.partnerOf('pk-gamma')?.name).toBe('gamma')
  })

  test('a name that is taken is a 409, another refusal a 400 with the reason', async () => {
    const { world, give } = openVerbs()
    expect(await give('partner add', { name: 'beta' })).toEqual({
      status: 409,
      json: { error: 'partner beta exists already' },
    })
    world.refusal = 'the name is too long'
    expect(await give('partner add', { name: 'x' })).toEqual({ status: 400, json: { error: 'the name is too long' } })
    expect(await give('partner add', { name: 'x', feeRate: 'much' })).toMatchObject({
      status: 400,
      json: { error: 'field "feeRate" must be a number' },
    })
    expect(await give('partner add', {})).toMatchObject({ status: 400, json: { error: 'field "name" is missing' } })
  })
})

describe('eligibility set', () => {
  const lastChange = (world: FakeGatewayWorld) => {
    const call = world.calls.at(-1)
    if (call?.type !== 'setEligibility') throw new Error('nothing was changed')
    return { partner: call.partner, change: call.change }
  }

  test('a currency with its limits; without a partner it is that of the first', async () => {
    const { world, give } = openVerbs()
    const answer = await give('eligibility set', { kind: 'currency', code: 'EUR', state: 'on', minBuyAmount: 10.5 })
    expect(answer).toEqual({
      status: 200,
      json: {
        ...{ partner: 'acme', kind: 'currency', code: 'EUR', state: 'on' },
        ...{ minBuyAmount: '5', maxBuyAmount: '12345678901234567890.12' },
      },
    })
    const { partner, change } = lastChange(world)
    expect([partner, change.kind === 'currency' && change.minBuyAmount?.toString()]).toEqual(['acme', '10.5'])
    expect(change).not.toHaveProperty('maxBuyAmount')
  })

  test('a country or a state, for the partner that is named', async () => {
    const { world, give } = openVerbs()
    await give('eligibility set', { kind: 'region', code: 'US-NY', state: 'on', partner: 'beta' })
    expect(lastChange(world)).toEqual({
      partner: 'beta',
      change: { kind: 'region', region: 'US-NY', isBuyAllowed: true },
    })
    await give('eligibility set', { kind: 'region', code: 'BE', state: 'off' })
    expect(lastChange(world).change).toEqual({ kind: 'region', region: 'BE', isBuyAllowed: false })
  })

  test.each([
    [{ state: 'on' }, paymentCurrencies.CARD],
    [{ state: 'off' }, []],
    [{ state: 'off', currencies: 'EUR' }, []],
    [{ state: 'on', currencies: 'EUR, NGN' }, ['EUR', 'NGN']],
    [{ state: 'on', currencies: ['NGN'] }, ['NGN']],
  ])('a payment method: %j', async (values, currencies) => {
    const { world, give } = openVerbs()
    const answer = await give('eligibility set', { kind: 'payment-method', code: 'CARD', ...values })
    expect(answer).toMatchObject({ status: 200, json: { code: 'CARD', currencies: 'EUR' } })
    expect(lastChange(world).change).toEqual({ kind: 'paymentMethod', paymentMethod: 'CARD', currencies })
  })

  test.each([
    [{}, 400, 'field "kind" is missing'],
    [{ kind: 'coin' }, 400, 'field "kind" must be one of currency, region, payment-method'],
    [{ kind: 'region' }, 400, 'field "code" is missing'],
    [{ kind: 'region', code: 'BE' }, 400, 'field "state" is missing'],
    [{ kind: 'region', code: 'BE', state: true }, 400, 'field "state" must be one of on, off'],
    [{ kind: 'region', code: 'BE', state: 'on', minBuyAmount: 1 }, 400, 'minBuyAmount'],
    [{ kind: 'payment-method', code: 'CARD', state: 'on', maxBuyAmount: 1 }, 400, 'maxBuyAmount'],
    [{ kind: 'payment-method', code: 'CASH', state: 'on' }, 400, 'field "code" must be one of CARD'],
    [{ kind: 'currency', code: 'EUR', state: 'on', currencies: 'EUR' }, 400, 'currencies'],
    [{ kind: 'payment-method', code: 'CARD', state: 'on', currencies: [1] }, 400, 'field "currencies" must be a list'],
    [{ kind: 'region', code: 'BE', state: 'on', partner: 'nobody' }, 404, 'no partner nobody'],
  ])('%j is a %d', async (values, status, reason) => {
    const { world, give } = openVerbs()
    expect(await give('eligibility set', values)).toEqual({ status, json: { error: expect.stringContaining(reason) } })
    expect(world.calls).toEqual([])
  })

  test('what the gateway refuses is a 400 with its reason', async () => {
    const { world, give } = openVerbs()
    world.refusal = 'XXX is no currency of the gateway'
    const answer = await give('eligibility set', { kind: 'currency', code: 'XXX', state: 'on' })
    expect(answer).toEqual({ status: 400, json: { error: 'XXX is no currency of the gateway' } })
  })
})

describe('gateway-order', () => {
  test('create: with no more than its type, and with everything', async () => {
    const { world, give } = openVerbs()
    expect(await give('gateway-order create', { orderType: 'SELL' })).toEqual({
      status: 200,
      json: {
        ...{ orderId: 'ord-1', partner: 'acme', orderType: 'SELL', orderState: 'PENDING', inputAmount: '100' },
        ...{ inputCurrency: 'EUR', outputAmount: '0.00000012', outputCurrency: 'BTC', paymentMethod: 'CARD' },
        eventId: 'ev-ord-1',
      },
    })
    expect(world.calls.at(-1)).toEqual({ type: 'createOrder', order: { orderType: 'SELL' } })
    const all = {
      ...{ orderType: 'BUY', partner: 'beta', inputCurrency: 'USD', outputCurrency: 'ETH', paymentMethod: 'APPLE_PAY' },
      ...{ userCountry: 'US', userState: 'US-CA', externalReference: 'mine', subPartnerId: 'shop' },
      targetWalletAddress: '0xabc',
    }
    const answer = await give('gateway-order create', { ...all, inputAmount: '250.10' })
    expect(answer).toMatchObject({ status: 200, json: { partner: 'beta', inputAmount: '250.1', userState: 'US-CA' } })
    expect(world.calls.at(-1)).toMatchObject({ type: 'createOrder', order: all })
  })

  test('advance: to the next state, or to the one that is named', async () => {
    const { give } = openVerbs()
    await give('gateway-order create', { orderType: 'BUY' })
    const next = await give('gateway-order advance', { orderId: 'ord-1' })
    expect(next).toMatchObject({ status: 200, json: { orderId: 'ord-1', orderState: 'WITHDRAWING' } })
    const failed = await give('gateway-order advance', { orderId: 'ord-1', state: 'FAILED' })
    expect(failed).toMatchObject({ status: 200, json: { orderState: 'FAILED' } })
  })

  test.each([
    ['create', {}, 400, 'field "orderType" is missing'],
    ['create', { orderType: 'buy' }, 400, 'field "orderType" must be one of BUY, SELL'],
    ['create', { orderType: 'BUY', inputAmount: 'much' }, 400, 'field "inputAmount" must be a number'],
    ['create', { orderType: 'BUY', paymentMethod: 'CASH' }, 400, 'field "paymentMethod" must be one of CARD'],
    ['create', { orderType: 'BUY', partner: 'nobody' }, 404, 'no partner nobody'],
    ['advance', {}, 400, 'field "orderId" is missing'],
    ['advance', { orderId: 'ord-9' }, 404, 'no gateway order ord-9'],
    ['advance', { orderId: 'ord-1', state: 'DONE' }, 400, 'field "state" must be one of PENDING'],
  ])('%s %j is a %d', async (verb, values, status, reason) => {
    const { give } = openVerbs()
    const answer = await give(`gateway-order ${verb}`, values)
    expect(answer).toEqual({ status, json: { error: expect.stringContaining(reason) } })
  })

  test('an order that cannot be made is a 400, a step that cannot be taken a 409', async () => {
    const { world, give } = openVerbs()
    await give('gateway-order create', { orderType: 'BUY' })
    world.refusal = 'not so'
    expect(await give('gateway-order create', { orderType: 'BUY' })).toEqual({ status: 400, json: { error: 'not so' } })
    const advanced = await give('gateway-order advance', { orderId: 'ord-1', state: 'PENDING' })
    expect(advanced).toEqual({ status: 409, json: { error: 'not so' } })
  })
})
