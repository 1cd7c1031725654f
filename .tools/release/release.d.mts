/**
 * Makes a release in `out`, which has nothing else in it; with executables for these platforms, as `linux-x64`, and
 * with recipes for Homebrew and Nix where it is known at which address its files will be. Gives the lines of its sums.
 */
export function release(out: string, wishes?: { platforms?: readonly string[]; url?: string | null }): Promise<string[]>
