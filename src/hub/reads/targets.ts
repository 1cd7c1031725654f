/** A read of the exchange's interface. */
type ReadRow = {
  /** Path below the base path; a part that starts with a colon matches any text. */
  path: string
  /** True when a write of this account may change the answer. */
  isOfAccount: boolean
  /**
   * Maximum age in ms of a cached answer: slightly less than a desk's poll interval, so that a single desk notices no
   * difference. 0: each request makes a call, unless one is in flight.
   */
  freshMs: number
  /** Interval in ms at which subscribed targets are read. */
  paceMs: number
}

/** All reads of the exchange's interface. Other targets do not exist there and are not passed on. */
export const readRows: readonly ReadRow[] = [
  { path: '/l2/:symbol', isOfAccount: false, freshMs: 400, paceMs: 500 },
  { path: '/l3/:symbol', isOfAccount: false, freshMs: 400, paceMs: 500 },
  { path: '/tickers', isOfAccount: false, freshMs: 1_600, paceMs: 2_000 },
  { path: '/tickers/:symbol', isOfAccount: false, freshMs: 1_600, paceMs: 2_000 },
  { path: '/symbols', isOfAccount: false, freshMs: 4_000, paceMs: 5_000 },
  { path: '/symbols/:symbol', isOfAccount: false, freshMs: 4_000, paceMs: 5_000 },
  { path: '/fees', isOfAccount: true, freshMs: 30_000, paceMs: 60_000 },
  { path: '/orders', isOfAccount: true, freshMs: 800, paceMs: 1_000 },
  { path: '/orders/:orderId', isOfAccount: true, freshMs: 0, paceMs: 1_000 },
  { path: '/trades', isOfAccount: true, freshMs: 800, paceMs: 2_000 },
  { path: '/fills', isOfAccount: true, freshMs: 1_200, paceMs: 1_500 },
  { path: '/internal/orders', isOfAccount: true, freshMs: 0, paceMs: 5_000 },
  { path: '/accounts', isOfAccount: true, freshMs: 1_600, paceMs: 2_000 },
  { path: '/accounts/:account/:currency', isOfAccount: true, freshMs: 800, paceMs: 2_000 },
  { path: '/deposits', isOfAccount: true, freshMs: 2_400, paceMs: 3_000 },
  { path: '/deposits/:depositId', isOfAccount: true, freshMs: 0, paceMs: 3_000 },
  { path: '/whitelist', isOfAccount: true, freshMs: 8_000, paceMs: 10_000 },
  { path: '/whitelist/:currency', isOfAccount: true, freshMs: 8_000, paceMs: 10_000 },
  { path: '/withdrawals', isOfAccount: true, freshMs: 1_600, paceMs: 2_000 },
  { path: '/withdrawals/:withdrawalId', isOfAccount: true, freshMs: 0, paceMs: 3_000 },
]

/** A proxy in front of the exchange might resolve such a part, even an encoded one, to another path. */
const isWayElsewhere = (part: string): boolean =>
  part
    .replace(/%(2e|2f|5c)/gi, (encoded) => decodeURIComponent(encoded))
    .split(/[/\\]/)
    .some((each) => each === '.' || each === '..')

/** The row of a target, with or without its query; undefined when it is not a read of the exchange. */
export function readRowOf(target: string): ReadRow | undefined {
  const parts = (target.split('?', 1)[0] ?? '').split('/')
  if (target.includes('#') || parts.some(isWayElsewhere)) return undefined
  return readRows.find(({ path }) => {
    const pattern = path.split('/')
    return (
      pattern.length === parts.length &&
      pattern.every((part, at) => (part.startsWith(':') ? parts[at] !== '' : part === parts[at]))
    )
  })
}
