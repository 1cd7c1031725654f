/** Places that each person may hold at once: however quickly one asks, everybody else has their turn. */
export type Places = {
  /** Takes one of this person's; what it gives must be called at the end. Null while they hold all of theirs. */
  take(person: string): (() => void) | null
  /** Does the work in one of this person's; gives `full` where they hold all of theirs. */
  within<T>(person: string, full: T, work: () => Promise<T>): Promise<T>
}

/** `most` places for each. */
export function createPlaces(most: number): Places {
  const held = new Map<string, number>()
  const take = (person: string): (() => void) | null => {
    const count = held.get(person) ?? 0
    if (count >= most) return null
    held.set(person, count + 1)
    let isGiven = false
    return () => {
      if (isGiven) return
      isGiven = true
      const left = (held.get(person) ?? 1) - 1
      if (left === 0) held.delete(person)
      else held.set(person, left)
    }
  }
  return {
    take,
    async within(person, full, work) {
      const leave = take(person)
      return leave === null ? full : await work().finally(leave)
    },
  }
}
