/** Why a client order id is taken at a hub: another person used it, or the same person for another order. */
export type IdTakenBy = 'anotherPerson' | 'anotherOrder'

/** Why a hub refuses a client order id, as a clause. */
export const takenIdText = (clientOrderId: string, by: IdTakenBy): string =>
  by === 'anotherPerson'
    ? `client order id ${clientOrderId} is used by another person`
    : `client order id ${clientOrderId} was used before, for another order`
