import { symbolParameter } from '../../http-server/request.ts'
import { type Answer, badRequest, failure, type Route } from '../../http-server/route.ts'
import type { WireMode } from '../../wire/exact-json.ts'
import type { AccountId, Refusal } from '../core/commands.ts'
import type { PracticeExchange } from '../practice-exchange.ts'

/** The answer to a refused command. The field at fault is always named. */
export function refusal(refused: Refusal): Answer {
  switch (refused.kind) {
    case 'invalid': {
      const names = refused.message.includes(refused.field)
      return badRequest(names ? refused.message : `field "${refused.field}": ${refused.message}`)
    }
    case 'notFound':
      return failure(404, refused.message)
    case 'conflict':
      return failure(409, refused.message)
    case 'forbidden':
      return failure(403, refused.message)
  }
}

/** The account whose verified key the request carried. */
export type Guest = { account: AccountId }
export type ExchangeRoute = Route<Guest>

/** The inputs of the operations. */
export type ExchangeContext = { exchange: PracticeExchange; wire: WireMode }

/** Reads the name of a listed symbol from a query. */
export const listedSymbol = ({ exchange }: ExchangeContext) =>
  symbolParameter((symbol) => exchange.read().status(symbol) !== undefined)
