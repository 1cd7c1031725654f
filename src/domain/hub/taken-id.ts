/**
 * Why a hub sends nothing under a client order id, as a clause: both sides know it by these words, since what is listed
 * under the id by then is somebody else's.
 */
export const takenIdText = (clientOrderId: string, isAnothers: boolean): string =>
  isAnothers
    ? `client order id ${clientOrderId} is used by another person`
    : `client order id ${clientOrderId} was used before, for another order`

/** The clause that a hub's answer begins with; null where it says something else. */
export const takenIdIn = (words: string | null, clientOrderId: string): string | null =>
  [true, false].map((isAnothers) => takenIdText(clientOrderId, isAnothers)).find((text) => words?.startsWith(text)) ??
  null
