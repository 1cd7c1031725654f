/** Where the administration of a practice exchange answers, and its key. */
export type AdminPlace = { adminUrl: string; adminToken: string }

/** Times that a read is asked again; a busy machine resets a connection now and then. */
const readsMax = 5

/**
 * A call of the drill's own, none of the program under test: on a connection of its own, as one that waited may be
 * closed by the other end just as it is used. A read that is cut off all the same is asked again; a write is not, as
 * nobody knows whether it arrived.
 */
export async function ownCall(url: string, init: RequestInit & { headers: Record<string, string> }): Promise<Response> {
  const headers = { ...init.headers, connection: 'close' }
  const isRead = (init.method ?? 'GET') === 'GET'
  for (let left = isRead ? readsMax : 1; ; left -= 1) {
    try {
      const answer = await globalThis.fetch(url, { ...init, headers })
      // The body as well: it may be cut off in the middle.
      return new Response(await answer.arrayBuffer(), { status: answer.status })
    } catch (error) {
      if (left <= 1) throw error
    }
  }
}

/** One command of the administration, such as `/fault/drop`; throws what it was refused with. */
export async function administer(place: AdminPlace, path: string, values: object): Promise<void> {
  await administered(place, path, values)
}

/** The same, with what it answers as the text of a JSON object. */
export async function administered(
  { adminUrl, adminToken }: AdminPlace,
  path: string,
  values: object,
): Promise<string> {
  const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' }
  const answer = await ownCall(`${adminUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(values) })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
  return text
}
