import { homedir, userInfo } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** The variables of the process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Nothing says where the user's files are. The message is a clause. */
export class NoHome extends Error {
  override readonly name = 'NoHome'
  constructor() {
    super('no home folder is known: set HOME to an absolute path')
  }
}

/** What the system has for this user; null where it has none, as for a number without a name in a container. */
function systemHome(): string | null {
  // With a variable that is empty the first of them is empty too.
  for (const look of [homedir, () => userInfo().homedir]) {
    try {
      const home = look()
      if (isAbsolute(home)) return home
    } catch {
      // The next one may know it.
    }
  }
  return null
}

/**
 * The user's home folder. A variable that is empty or relative counts as unset: what it names would be another folder
 * wherever the program is started. Throws `NoHome`.
 */
export function homeFolder(environment: Environment, ofSystem: () => string | null = systemHome): string {
  const { HOME: named = '' } = environment
  const home = isAbsolute(named) ? named : ofSystem()
  if (home === null) throw new NoHome()
  return home
}

/**
 * The folders the desk may write to, after the XDG base directory rules; an empty or relative path in a variable counts
 * as unset. Throws `NoHome` where it takes a home folder and there is none.
 */
export function xdgFolders(
  environment: Environment,
  ofSystem?: () => string | null,
): { state: string; data: string; config: string; cache: string } {
  const folder = (name: string, fallback: string) => {
    const value = environment[name] ?? ''
    return join(value.startsWith('/') ? value : join(homeFolder(environment, ofSystem), fallback), 'pitdesk')
  }
  return {
    state: folder('XDG_STATE_HOME', '.local/state'),
    data: folder('XDG_DATA_HOME', '.local/share'),
    config: folder('XDG_CONFIG_HOME', '.config'),
    cache: folder('XDG_CACHE_HOME', '.cache'),
  }
}
