/** Where the administration of a practice exchange answers, and its key. */
export type AdminPlace = { adminUrl: string; adminToken: string }

/** One command of the administration, such as `/fault/drop`; throws what it was refused with. */
export async function administer({ adminUrl, adminToken }: AdminPlace, path: string, values: object): Promise<void> {
  const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' }
  const answer = await globalThis.fetch(`${adminUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(values) })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
}
