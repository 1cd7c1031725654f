import { buildProgram, program } from '../practice-process.ts'
import { buildChild, childProgram } from './build-child.ts'

/** A version of the program that is measured. */
export type Version = {
  /** What it is called beside its figures. */
  name: string
  /** The console on a tape (`console-child.tsx`), bundled as that version bundles itself. */
  consoleProgram: string
  /** Builds the program as that version ships it, and resolves with the file to start. */
  buildLauncher: () => Promise<string>
}

/** What is measured of the two, this one first. */
export type Both<T> = { now: T; before: T | null }

/** The version of the tree that the bench runs in. */
export async function buildNow(): Promise<Version> {
  await buildChild()
  return {
    name: 'pitdesk',
    consoleProgram: childProgram,
    buildLauncher: async () => {
      await buildProgram()
      return `${program}/pitdesk.js`
    },
  }
}

/** Does it with both at the same time, so that what else the machine does is the same for both. */
export async function withBoth<From, To>({ now, before }: Both<From>, work: (one: From) => Promise<To>) {
  const [first, second] = await Promise.all([work(now), before === null ? null : work(before)])
  return { now: first, before: second } satisfies Both<To>
}

/** Does it with one after the other, where each would disturb the other. */
export async function withEach<From, To>({ now, before }: Both<From>, work: (one: From) => Promise<To>) {
  return { now: await work(now), before: before === null ? null : await work(before) } satisfies Both<To>
}

/** Those that there are. */
export const listed = <T>({ now, before }: Both<T>): T[] => (before === null ? [now] : [now, before])
