/** What currencies are called elsewhere, in lower case, and their codes here. */
const codes: Readonly<Record<string, string>> = {
  ...{ xbt: 'btc', bitcoin: 'btc', bitcoins: 'btc', ether: 'eth', ethereum: 'eth', xdg: 'doge', dogecoin: 'doge' },
  ...{ litecoin: 'ltc', solana: 'sol', stellar: 'xlm', lumens: 'xlm', ripple: 'xrp' },
}

/**
 * A currency or a symbol, `xbt-usd`, with the codes of here in the place of other names; null where there is none in
 * it. It is for what is not known by the name itself, and to be asked about: nothing is taken for another currency.
 */
export function otherNameOf(name: string): string | null {
  const lower = name.toLowerCase()
  const turned = lower.replace(/^[a-z]+/, (word) => (Object.hasOwn(codes, word) ? (codes[word] ?? word) : word))
  return turned === lower ? null : turned
}
