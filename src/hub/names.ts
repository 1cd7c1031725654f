import { isOnePart } from '../api/caller.ts'
import { isAllSeen } from '../base/text/plain-text.ts'
import { unchangedText } from '../domain/hub/unchanged.ts'
import { type Answer, failure, notFound, type Route } from '../http-server/route.ts'
import { nameLengthMax } from '../wire/message.ts'

/** An empty one is its route's matter. */
const isName = (text: string): boolean =>
  text === '' || (text.length <= nameLengthMax && isAllSeen(text) && isOnePart(text))

/** What a path's route says of a name that nothing has; of ids the exchange says nothing. */
function missingAt(path: string): Answer {
  if (/^\/(orders|withdrawals|deposits)\/:\w+Id$/.test(path)) return notFound
  if (path.endsWith('/send')) return failure(404, 'no draft has such an id: nothing was sent')
  return failure(
    404,
    path.startsWith('/hub/') ? unchangedText('nothing here has such an id') : 'nothing has such a name',
  )
}

/**
 * Answers for a path that names what cannot be, before it is asked about anywhere. A name with a NUL, which the
 * database refuses, would pass for a database in trouble, one of 16 KiB would be recorded, listed and sent on, and one
 * with slashes could lead to another place of the exchange.
 */
export function namesOnly<Guest>(route: Route<Guest>): Route<Guest> {
  const missing = missingAt(route.path)
  return {
    ...route,
    handle: (request) =>
      Object.values(request.params).every((name = '') => isName(name)) ? route.handle(request) : missing,
  }
}
