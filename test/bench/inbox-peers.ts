import { DatabaseSync } from 'node:sqlite'
import Fastify from 'fastify'

/**
 * What a receiver usually is, for comparison on the same machine in the same minute: fastify that stores nothing, or
 * one synced insert for each request. Neither checks an event's fields.
 */
export async function runPeer(kind: string, path: string): Promise<void> {
  const server = Fastify()
  let keep = (_eventId: string, _body: string): void => {}
  if (kind === 'each') {
    const database = new DatabaseSync(path)
    database.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE e (id TEXT PRIMARY KEY, body TEXT)',
    )
    const insert = database.prepare('INSERT INTO e VALUES (?, ?) ON CONFLICT DO NOTHING')
    keep = (eventId, body) => void insert.run(eventId, body)
  }
  server.post<{ Body: { eventId: string } }>('/hooks/orders', async (request, reply) => {
    keep(request.body.eventId, JSON.stringify(request.body))
    return reply.code(200).send()
  })
  const url = await server.listen({ port: 0, host: '127.0.0.1' })
  process.stdout.write(`${JSON.stringify({ url })}\n`)
  process.once('SIGTERM', () => process.exit(0))
}
