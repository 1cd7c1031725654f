/**
 * A practice exchange answers nothing more, because its disk has failed or its thread has ended; the message is a
 * sentence that says which.
 */
export class PracticeStopped extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'PracticeStopped'
  }
}
