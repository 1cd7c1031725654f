import { gatewaySentence } from './gateway-sentences.ts'
import { type Reading, type SentenceReader, wordsOf } from './sentence.ts'

const acts = ['stop', 'start', 'read']

/** `inbox stop` is what one looks for first; it means the same as `gateway stop`. */
export const inboxSentence: SentenceReader = {
  name: 'inbox',
  help: 'stop or start the inbox of gateway orders in this desk',
  example: 'inbox stop',
  starts: ['inbox'],
  isOffered: ({ gateway: { inbox } }) => inbox.receiver.kind !== 'none' && inbox.receiver.kind !== 'elsewhere',
  read(line, state): Reading | null {
    const [first, act = '', ...rest] = wordsOf(line)
    if (first !== 'inbox') return null
    if (!acts.includes(act) || rest.length > 0)
      return { kind: 'wrong', lines: ['Say inbox stop, inbox start, or inbox read for all that came in so far.'] }
    return gatewaySentence.read(`gateway ${act}`, state)
  },
  words: () => acts,
}
