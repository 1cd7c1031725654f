import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { PostgresCluster } from './postgres.ts'

test('a PostgreSQL starts on loopback, keeps what it said yes to over a crash, and leaves nothing behind', async () => {
  const cluster = await PostgresCluster.start()
  const url = await cluster.createDatabase()
  await cluster.ask('CREATE TABLE kept (n integer); INSERT INTO kept VALUES (7)', url)
  await cluster.crash()
  await expect(cluster.ask('SELECT 1', url)).rejects.toThrow('ECONNREFUSED')
  await cluster.serveAgain()
  expect(await cluster.ask('SELECT n FROM kept', url)).toEqual([{ n: 7 }])
  const [row] = await cluster.ask('SHOW data_directory')
  const folder = String(row?.data_directory)
  expect(existsSync(folder)).toBe(true)
  await cluster.stop()
  expect(existsSync(folder)).toBe(false)
})
