/** Whose a client order id is where a hub sends nothing under it: another person's, or one's own for another order. */
export type IdTakenBy = 'anotherPerson' | 'anotherOrder'

/** Why a hub sends nothing under a client order id, as a clause. */
export const takenIdText = (clientOrderId: string, by: IdTakenBy): string =>
  by === 'anotherPerson'
    ? `client order id ${clientOrderId} is used by another person`
    : `client order id ${clientOrderId} was used before, for another order`
