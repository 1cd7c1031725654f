// What the tests need beyond npm's packages: Ink as the program has it. The program is built by the first test that
// needs it.
import { buildTestInk, sweepTestBuilds } from './test-builds.mjs'
import { keepFilesInMemory } from './test-folder.mjs'

export default async function setup() {
  // Files and folders that others can write to are not trusted: where they are made so by default, tests would find
  // none that are.
  process.umask(0o022)
  const removeFiles = keepFilesInMemory()
  await sweepTestBuilds()
  await buildTestInk()
  return removeFiles
}
