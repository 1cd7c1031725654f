import { join } from 'node:path'
import { z } from 'zod'
import { whole } from './fields.ts'
import { createJsonFile, type JsonFile } from './json-file.ts'

/** How far a person has looked at the inbox: the place of the last event. */
export type GatewaySeen = { version: 1; sequence: number }

const schema: z.ZodType<GatewaySeen> = z.object({ version: z.literal(1), sequence: whole })

/** Where it is kept, one file a profile. */
export const openGatewaySeenFile = (stateFolder: string, profileName: string): JsonFile<GatewaySeen> =>
  createJsonFile(
    join(stateFolder, 'gateway-seen', `${encodeURIComponent(profileName)}.json`),
    'what was looked at of the inbox',
    schema,
  )
