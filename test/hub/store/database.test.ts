import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTransaction } from '../../../src/hub/store/database.ts'
import { eventually } from '../../fakes/eventually.ts'
import { PostgresCluster } from '../../fakes/postgres.ts'
import { newDatabase } from '../hub-database.ts'

let cluster: PostgresCluster
beforeAll(async () => {
  cluster = await PostgresCluster.start()
})
afterAll(() => cluster.stop())

test('a connection that is cut within a transaction, between its questions, fails that one alone and not the process', async () => {
  const { pool } = await newDatabase(cluster)
  const uncaught: unknown[] = []
  const note = (error: unknown) => void uncaught.push(error)
  process.on('uncaughtException', note)
  try {
    const cut = inTransaction(pool, async (client) => {
      const { rows } = await client.query('SELECT pg_backend_pid() AS pid')
      await pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid])
      await eventually(async () => {
        const left = await pool.query('SELECT 1 FROM pg_stat_activity WHERE pid = $1', [rows[0]?.pid])
        expect(left.rows).toEqual([])
      })
      await client.query('SELECT 1')
    })
    await expect(cut).rejects.toThrow()
    expect(await inTransaction(pool, async (client) => (await client.query('SELECT 2 AS two')).rows)).toEqual([
      { two: 2 },
    ])
    expect(uncaught).toEqual([])
  } finally {
    process.off('uncaughtException', note)
  }
})

test('a connection that breaks before its first question ends no process', async () => {
  const { pool } = await newDatabase(cluster)
  const client = await pool.connect()
  // As the driver tells of it: nobody has asked yet whose question could fail.
  expect(client.emit('error', new Error('terminating connection due to administrator command'))).toBe(true)
  client.release(true)
  expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
})
