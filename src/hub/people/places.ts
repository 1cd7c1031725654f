/** Limits how many operations each person may have at once, so that one person cannot block the others. */
export type Places = {
  /** Takes a place of this person and returns the function that frees it. Null when all are taken. */
  take(person: string): (() => void) | null
  /** Runs the work in a place of this person, or returns `full` when all are taken. */
  within<T>(person: string, full: T, work: () => Promise<T>): Promise<T>
}

/** Creates `most` places per person. */
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
