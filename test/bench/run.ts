/** Flags of Node for a process that is measured: a profile of it where one is asked for with `--cpu-prof`. */
export const profile = process.argv.includes('--cpu-prof') ? ['--cpu-prof', '--cpu-prof-dir=.cache/profiles'] : []

/** Tells whether so much time has passed by now. */
export const until = (ms: number): (() => boolean) => {
  const end = performance.now() + ms
  return () => performance.now() >= end
}
