/**
 * Makes a release in `out`, which has nothing else in it; with executables for these platforms, as `linux-x64`. Gives
 * the lines of its sums.
 */
export function release(out: string, platforms?: readonly string[]): Promise<string[]>
