/** Room for a body of many small pieces to begin with. */
const firstRoom = 4_096
/** Pieces of a body that may be of any size. */
const freePieces = 4_096
/** Bytes that the pieces of a longer body have on average, at least. */
const leastAverage = 16

/**
 * A body that comes in pieces. They are copied into one buffer: a piece that is kept as it came takes some 300 bytes of
 * memory beside its own, and whoever sends a body byte by byte decides how many there are.
 */
export class GatheredBytes {
  #bytes: Buffer = Buffer.alloc(0)
  #length = 0
  #pieces = 0

  add(piece: Buffer): void {
    const length = this.#length + piece.length
    this.#pieces += 1
    // The usual body is one piece, and is kept as it is.
    if (this.#length === 0) this.#bytes = piece
    else {
      if (length > this.#bytes.length) this.#grow(Math.max(firstRoom, 2 * length))
      piece.copy(this.#bytes, this.#length)
    }
    this.#length = length
  }

  get length(): number {
    return this.#length
  }

  /** True when it comes in so many tiny pieces that reading them is the work, which no program sends by itself. */
  get isCrumbled(): boolean {
    return this.#pieces > freePieces && this.#length < leastAverage * this.#pieces
  }

  whole(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  #grow(room: number): void {
    const wider = Buffer.allocUnsafeSlow(room)
    this.#bytes.copy(wider, 0, 0, this.#length)
    this.#bytes = wider
  }
}
