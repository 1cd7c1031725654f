import { err, ok, type Result } from '../../src/base/result.ts'
import { type GatewayEvent, gatewayTime } from '../../src/domain/gateway/event.ts'
import { Decimal } from '../../src/domain/money.ts'
import type {
  EligibilityChange,
  NewGatewayOrder,
  Partner,
  PartnerGateway,
  PracticeOrder,
} from '../../src/sandbox/gateway/partner-gateway.ts'

const noCoin = { network: null, supportsDestinationTag: null, isSupportedInUs: null, allowedUsStates: null }
const noLimits = { minBuyAmount: null, maxBuyAmount: null }

/**
 * A partner with one of each: fiat with both limits and with none, a coin with states and one that is not for the US.
 */
export const acme: Partner = {
  name: 'acme',
  key: 'pk-acme',
  feeRate: new Decimal('0.01'),
  eligibility: {
    currencies: [
      {
        ...{ type: 'FIAT', name: 'Euro', code: 'EUR', precision: 2, ...noCoin },
        ...{ minBuyAmount: new Decimal('5'), maxBuyAmount: new Decimal('12345678901234567890.12') },
      },
      { type: 'FIAT', name: 'Nigerian naira', code: 'NGN', precision: 2, ...noCoin, ...noLimits },
      {
        ...{ type: 'CRYPTO', name: 'Stellar', code: 'XLM', precision: 7, ...noLimits, network: 'XLM' },
        ...{ supportsDestinationTag: true, isSupportedInUs: true, allowedUsStates: ['CA', 'TX'] },
      },
      {
        ...{ type: 'CRYPTO', name: 'Bitcoin', code: 'BTC', precision: 8, ...noLimits, network: 'BTC' },
        ...{ supportsDestinationTag: false, isSupportedInUs: false, allowedUsStates: [] },
      },
    ],
    countries: [
      { alpha2: 'BE', alpha3: 'BEL', isBuyAllowed: true, name: 'Belgium' },
      { alpha2: 'KP', alpha3: 'PRK', isBuyAllowed: false, name: 'North Korea' },
    ],
    usStates: [
      { alpha2: 'CA', isBuyAllowed: true, name: 'California' },
      { alpha2: 'NY', isBuyAllowed: false, name: 'New York' },
    ],
    paymentMethods: [
      { type: 'CARD', supportedCurrencies: ['EUR'] },
      { type: 'BANK_TRANSFER_NIP', supportedCurrencies: ['NGN'] },
    ],
  },
}

const zero = new Decimal(0)
const eventOf = (order: NewGatewayOrder, orderId: string): GatewayEvent => ({
  ...{ eventId: `ev-${orderId}`, orderId, orderType: order.orderType, orderState: 'PENDING' },
  ...{ createdAt: gatewayTime(0, 0), orderStateUpdatedAt: gatewayTime(0, 0) },
  ...{ externalReference: order.externalReference ?? null, subPartnerId: order.subPartnerId ?? null },
  ...{ paymentMethod: order.paymentMethod ?? 'CARD', inputCurrency: order.inputCurrency ?? 'EUR' },
  ...{ inputAmount: order.inputAmount ?? new Decimal(100), outputCurrency: order.outputCurrency ?? 'BTC' },
  ...{ outputAmount: new Decimal('0.00000012'), amountUsd: null, processingFee: zero, processingFeeUsd: zero },
  ...{ partnerFee: zero, partnerFeeUsd: zero, networkFee: zero, networkFeeUsd: zero, network: 'BTC', userId: 'u-1' },
  ...{ userCountry: order.userCountry ?? null, userState: order.userState ?? null },
  ...{ targetWalletAddress: order.targetWalletAddress ?? 'bc1q', transactionHash: null },
})

/** What the world was asked to do. */
export type WorldCall =
  | { type: 'setEligibility'; partner: string; change: EligibilityChange }
  | { type: 'createOrder'; order: NewGatewayOrder }

/**
 * A gateway's world of one partner: it takes whatever it is told down in `calls`, and refuses what has `refusal` set.
 */
export class FakeGatewayWorld implements PartnerGateway {
  readonly calls: WorldCall[] = []
  refusal: string | null = null
  readonly outbox = { after: () => [], event: () => undefined }
  private readonly all: Partner[]
  private readonly made: PracticeOrder[] = []

  constructor(partners: readonly Partner[] = [acme]) {
    this.all = [...partners]
  }

  partnerOf(key: string) {
    return this.all.find((each) => each.key === key)
  }
  partner(name: string) {
    return this.all.find((each) => each.name === name)
  }
  partners() {
    return this.all
  }
  private async answer<T>(value: T): Promise<Result<T>> {
    return this.refusal === null ? ok(value) : err(this.refusal)
  }
  async addPartner({ name, feeRate }: { name: string; feeRate?: Decimal }) {
    const partner = { ...acme, name, key: `pk-${name}`, feeRate: feeRate ?? acme.feeRate }
    if (this.refusal === null) this.all.push(partner)
    return this.answer(partner)
  }
  async setEligibility(partner: string, change: EligibilityChange) {
    this.calls.push({ type: 'setEligibility', partner, change })
    return this.answer(this.partner(partner) ?? acme)
  }
  currencies = ({ eligibility }: Partner) => eligibility.currencies
  regions({ eligibility: { countries, usStates } }: Partner, onlyBuyAllowed: boolean) {
    const isShown = ({ isBuyAllowed }: { isBuyAllowed: boolean }) => isBuyAllowed || !onlyBuyAllowed
    return { countries: countries.filter(isShown), usStates: usStates.filter(isShown) }
  }
  paymentMethods = ({ eligibility }: Partner) => eligibility.paymentMethods
  async createOrder(order: NewGatewayOrder) {
    this.calls.push({ type: 'createOrder', order })
    const number = this.made.length + 1
    const orderId = `ord-${number}`
    const made = { orderId, number, partner: order.partner ?? 'acme', last: eventOf(order, orderId) }
    if (this.refusal === null) this.made.push(made)
    return this.answer(made)
  }
  async advanceOrder(orderId: string, state?: GatewayEvent['orderState']): Promise<Result<PracticeOrder>> {
    const order = this.order(orderId)
    if (order === undefined) return err('there is no such order')
    return this.answer({ ...order, last: { ...order.last, orderState: state ?? 'WITHDRAWING' } })
  }
  order(orderId: string) {
    return this.made.find((each) => each.orderId === orderId)
  }
  orders() {
    return this.made.toReversed()
  }
  onEvent = () => () => {}
  onReset = () => () => {}
}
