/** What the desk tells of by itself unless a person switches it off. */
export const standingKinds = ['fill', 'orderEnded', 'staleFeed', 'transfer', 'gatewayFailed'] as const
export type StandingKind = (typeof standingKinds)[number]
export type Standing = Readonly<Record<StandingKind, boolean>>

export const allStanding: Standing = {
  fill: true,
  orderEnded: true,
  staleFeed: true,
  transfer: true,
  gatewayFailed: true,
}

/** How a person writes each, and what it tells of. */
export const standingWords: Readonly<Record<StandingKind, { word: string; meaning: string }>> = {
  fill: { word: 'fills', meaning: 'an order is filled, in part or whole' },
  orderEnded: { word: 'orders', meaning: 'an order ends, unless you cancelled it' },
  staleFeed: { word: 'stale', meaning: 'what is on screen gets too old' },
  transfer: { word: 'transfers', meaning: 'a withdrawal or deposit changes' },
  gatewayFailed: { word: 'gateway', meaning: 'a gateway order fails or is stuck' },
}

/** The kind a person's word stands for; undefined for any other word. */
export const standingOf = (word: string): StandingKind | undefined =>
  standingKinds.find((kind) => standingWords[kind].word === word || standingWords[kind].word === `${word}s`)
