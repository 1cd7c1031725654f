// Closes a run with one plain line that a person and a CI service can both read.
export default class Summary {
  onTestRunEnd(modules) {
    const count = { passed: 0, failed: 0, skipped: 0 }
    for (const module of modules)
      for (const test of module.children.allTests()) count[test.result().state] = (count[test.result().state] ?? 0) + 1
    const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : ''
    console.log(`\n${count.passed} passed, ${count.failed} failed${skipped}`)
  }
}
