// What the tests need beyond npm's packages: ink-table as an ES module. Tests that run the program build it themselves.
import { buildInkTable } from './build.mjs'

export default async function setup() {
  await buildInkTable()
}
