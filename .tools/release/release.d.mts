import type { build } from '../build.mjs'

/**
 * Makes a release in `out`, which has nothing else in it; with executables for these platforms, as `linux-x64`, and
 * with recipes for Homebrew and Nix where it is known at which address its files will be. `makeProgram` builds the
 * program into a folder, as `build` does. Gives the lines of its sums.
 */
export function release(
  out: string,
  wishes?: { platforms?: readonly string[]; url?: string | null; makeProgram?: typeof build },
): Promise<string[]>
