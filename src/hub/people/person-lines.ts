import { type Clock, SleepEnd } from '../../base/clock.ts'
import { dropOldest } from '../../base/drop-oldest.ts'

/**
 * Work under way at once: of one person, and of all persons together. `keptForFirst` of all places are for persons who
 * have none yet, so that a few busy ones never hold them all.
 */
export type LineLimits = {
  readonly each: number
  readonly all: number
  readonly keptForFirst: number
  /** Whoever waits longer, in ms, is turned away: less than their desk waits for an answer, or it asks anew by then. */
  readonly patienceMs: number
}

/** Work whose turn may still have to come. */
type InLine<T> = {
  readonly answer: Promise<T>
  /** Others ask for the same: it begins when one of them may, at once where the hub itself asks (undefined). */
  join(by: readonly string[] | undefined): void
}

type Waiting = { readonly persons: Set<string>; readonly sinceMs: number; begin(who: string | null): void; end(): void }

export type PersonLines = {
  /**
   * Runs the work when it is this person's turn, or at once for the hub itself (null); gives what `late` gives where
   * that takes too long, and the work never begins then. `isUrgent`: before whatever else this person waits for.
   */
  run<T>(who: string | null, work: () => Promise<T>, late: () => Promise<T>, isUrgent?: boolean): InLine<T>
}

/** How many persons' last turns are remembered: more than wait at once. */
const rememberedMax = 1_000

/** Counts what each person has under way, and who had their last turn longer ago. */
class Turns {
  readonly #limits: LineLimits
  readonly #own = new Map<string, number>()
  /** Persons by their last turn, the oldest first. */
  readonly #served = new Set<string>()
  #all = 0

  constructor(limits: LineLimits) {
    this.#limits = limits
  }

  may(who: string): boolean {
    const { each, all, keptForFirst } = this.#limits
    const own = this.#own.get(who) ?? 0
    return own < each && this.#all < (own === 0 ? all : all - keptForFirst)
  }

  async within<T>(who: string, work: () => Promise<T>): Promise<T> {
    this.#add(who, 1)
    this.#served.delete(who)
    this.#served.add(who)
    dropOldest(this.#served, rememberedMax)
    try {
      return await work()
    } finally {
      this.#add(who, -1)
    }
  }

  /** Whose turn it is of these: who has the least under way, and of equals who waited the longest since their last. */
  first(persons: readonly string[]): string | undefined {
    const places = new Map([...this.#served].map((who, at) => [who, at]))
    const rankOf = (who: string): [number, number] => [this.#own.get(who) ?? 0, places.get(who) ?? -1]
    return persons.toSorted((left, right) => {
      const [[ownLeft, servedLeft], [ownRight, servedRight]] = [rankOf(left), rankOf(right)]
      return ownLeft - ownRight || servedLeft - servedRight
    })[0]
  }

  #add(who: string, count: number): void {
    const now = (this.#own.get(who) ?? 0) + count
    if (now === 0) this.#own.delete(who)
    else this.#own.set(who, now)
    this.#all += count
  }
}

/**
 * Lets work of persons begin, nobody's beyond what one person may have at once. However much others ask for, a free
 * place goes to who has the least.
 */
export function createPersonLines(clock: Pick<Clock, 'now' | 'sleep'>, limits: LineLimits): PersonLines {
  const turns = new Turns(limits)
  let waiting: readonly Waiting[] = []
  /** False where it waits no more. */
  const leave = (each: Waiting): boolean => {
    const isWaiting = waiting.includes(each)
    if (isWaiting) waiting = waiting.filter((other) => other !== each)
    return isWaiting
  }
  const end = (each: Waiting): void => {
    if (leave(each)) each.end()
  }
  const letIn = (): void => {
    // After a stop of the process a place may be free before the timers of those who waited too long.
    for (const each of waiting) if (clock.now() - each.sinceMs > limits.patienceMs) end(each)
    for (;;) {
      const persons = [...new Set(waiting.flatMap((each) => [...each.persons]))]
      const who = turns.first(persons.filter((person) => turns.may(person)))
      const next = waiting.find((each) => who !== undefined && each.persons.has(who))
      if (next === undefined || who === undefined) return
      leave(next)
      next.begin(who)
    }
  }
  const within = async <T>(who: string | null, work: () => Promise<T>): Promise<T> => {
    if (who === null) return await work()
    return await turns.within(who, work).finally(letIn)
  }
  const wait = <T>(who: string, work: () => Promise<T>, late: () => Promise<T>, isUrgent: boolean): InLine<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const over = new SleepEnd()
    const each: Waiting = {
      ...{ persons: new Set([who]), sinceMs: clock.now() },
      begin(person) {
        over.abort()
        void within(person, work).then(resolve, reject)
      },
      end() {
        over.abort()
        void late().then(resolve, reject)
      },
    }
    waiting = isUrgent ? [each, ...waiting] : [...waiting, each]
    void clock.sleep(limits.patienceMs, over).then(() => end(each))
    return {
      answer: promise,
      join(by) {
        if (!waiting.includes(each)) return
        for (const person of by ?? []) each.persons.add(person)
        if (by !== undefined) return letIn()
        leave(each)
        each.begin(null)
      },
    }
  }
  return {
    run: (who, work, late, isUrgent = false) =>
      who === null || turns.may(who)
        ? { answer: within(who, work), join: () => undefined }
        : wait(who, work, late, isUrgent),
  }
}
