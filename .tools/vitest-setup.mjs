// What the tests need beyond npm's packages: ink-table as an ES module. The program is built by the first test that
// needs it (test-program.mjs).
import { buildInkTable } from './build.mjs'
import { sweepTestPrograms } from './test-program.mjs'

export default async function setup() {
  // Files and folders that others can write to are not trusted: where they are made so by default, tests would find
  // none that are.
  process.umask(0o022)
  await buildInkTable()
  await sweepTestPrograms()
}
