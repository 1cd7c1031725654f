import { beforeAll } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { openPostgresStore } from '../../src/inbox/postgres-store.ts'
import { PostgresCluster } from '../fakes/postgres.ts'
import { describeStore } from './store-suite.ts'

let cluster: PostgresCluster
beforeAll(async () => {
  cluster = await PostgresCluster.start()
  return () => cluster.stop()
})

describeStore('PostgreSQL', async () => {
  const url = await cluster.createDatabase()
  return {
    open: () => openPostgresStore({ url, clock: systemClock, mayLoseEvents: true }),
    remove: async () => undefined,
  }
})
