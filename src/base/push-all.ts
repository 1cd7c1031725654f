/** Adds all of `items`. As arguments of one `push` a hundred thousand and more would not fit on the stack. */
export function pushAll<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item)
}
