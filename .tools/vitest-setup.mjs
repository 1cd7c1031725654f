// What the tests need beyond npm's packages: ink-table as an ES module, and the built program for the runs in a real terminal.
import { build } from './build.mjs'

export default async function setup() {
  await build()
}
