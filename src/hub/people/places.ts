/** Places that each person may hold at once: however quickly one asks, everybody else has their turn. */
export type Places = {
  /** Takes one of this person's; what it gives must be called at the end. Null while they hold all of theirs. */
  take(person: string): (() => void) | null
}

/** `most` places for each. */
export function createPlaces(most: number): Places {
  const held = new Map<string, number>()
  return {
    take(person) {
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
    },
  }
}
