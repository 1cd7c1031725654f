type Entry = { id: number; dueMs: number }

/** What is due when: each id at most once, the earliest first, those of the same moment by id. */
export class DueQueue {
  /** A binary heap; entries that `dueOf` does not confirm have been moved or taken away. */
  private heap: Entry[] = []
  private readonly dueOf = new Map<number, number>()

  /** How many ids are in it. */
  get size(): number {
    return this.dueOf.size
  }

  /** Puts an id in, or moves it to another time. */
  set(id: number, dueMs: number): void {
    if (this.dueOf.get(id) === dueMs) return
    this.dueOf.set(id, dueMs)
    this.rise(this.heap.push({ id, dueMs }) - 1)
  }

  delete(id: number): void {
    this.dueOf.delete(id)
    if (this.dueOf.size === 0) this.heap = []
  }

  clear(): void {
    this.dueOf.clear()
    this.heap = []
  }

  /** When the first one is due; undefined when it is empty. */
  nextMs(): number | undefined {
    return this.first()?.dueMs
  }

  /** Takes out the first one that is due by `nowMs`. */
  take(nowMs: number): number | undefined {
    const first = this.first()
    if (first === undefined || first.dueMs > nowMs) return undefined
    this.removeTop()
    this.dueOf.delete(first.id)
    return first.id
  }

  private first(): Entry | undefined {
    for (let top = this.heap[0]; top !== undefined; top = this.heap[0]) {
      if (this.dueOf.get(top.id) === top.dueMs) return top
      this.removeTop()
    }
    return undefined
  }

  private removeTop(): void {
    const last = this.heap.pop()
    if (last === undefined || this.heap.length === 0) return
    this.heap[0] = last
    this.sink()
  }

  private isBefore(left: number, right: number): boolean {
    const [a, b] = [this.heap[left], this.heap[right]]
    if (a === undefined || b === undefined) return a !== undefined
    return a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.id < b.id)
  }

  private swap(left: number, right: number): void {
    const [a, b] = [this.heap[left], this.heap[right]]
    if (a === undefined || b === undefined) return
    this.heap[left] = b
    this.heap[right] = a
  }

  private rise(from: number): void {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1
      if (!this.isBefore(at, parent)) return
      this.swap(at, parent)
      at = parent
    }
  }

  private sink(): void {
    for (let at = 0; ; ) {
      const left = 2 * at + 1
      const child = this.isBefore(left + 1, left) ? left + 1 : left
      if (!this.isBefore(child, at)) return
      this.swap(at, child)
      at = child
    }
  }
}
