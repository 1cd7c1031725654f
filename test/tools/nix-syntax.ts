/** What closes what, in Nix. */
const pairs: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')', '${': '}', '"': '"', "''": "''" }

/**
 * What is wrong with the brackets and strings of a Nix file; null: each is closed, in order. It sees a slip where no
 * Nix is there to be asked.
 */
export function nixSlip(text: string): string | null {
  const open: string[] = []
  const token = /''\$|''\\.|'''|\\.|\$\$|\$\{|''|["#{}[\]()]/g
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [sign] = found
    const inside = open.at(-1) ?? ''
    const isText = inside === '"' || inside === "''"
    if (sign === pairs[inside]) open.pop()
    else if (isText ? sign === '${' : sign in pairs) open.push(sign)
    else if (!isText && sign === '#') token.lastIndex = text.indexOf('\n', found.index)
    else if (!isText && /^[}\])]$/.test(sign)) return `${sign} at ${found.index} closes nothing`
  }
  return open.length === 0 ? null : `${open.at(-1)} is not closed`
}
