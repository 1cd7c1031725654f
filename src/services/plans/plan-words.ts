import type { ExchangeError } from '../../api/errors.ts'
import { capital, withoutStop } from '../../base/text/plain-text.ts'
import { failureSentence } from '../failure-sentences.ts'

/** The sentence for a request that a hub has not answered: it may have been carried out. */
export const unknownText = ({ ask }: { readonly ask: string }): string =>
  ask === 'add'
    ? 'The hub did not answer: whether the plan was begun is unknown. Look at the plans before you repeat it.'
    : 'The hub did not answer: whether the plan was changed is unknown. Look at the plans before you repeat it.'

/** The sentence for a request that the hub refused or never got: nothing was changed. */
export const unsentText = (error: ExchangeError): string =>
  error.words === null
    ? `${capital(withoutStop(failureSentence(error)))}: nothing was changed.`
    : `${capital(withoutStop(error.words))}.`
