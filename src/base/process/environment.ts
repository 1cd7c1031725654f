import { homedir, userInfo } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** The environment variables of the process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The user's home folder is unknown. The message is a clause. */
export class NoHome extends Error {
  override readonly name = 'NoHome'
  constructor() {
    super('no home folder is known: set HOME to an absolute path')
  }
}

/** The home folder in the system's user database; null when the user has none, such as a bare uid in a container. */
function systemHome(): string | null {
  // With an empty HOME the first of them is empty too.
  for (const look of [homedir, () => userInfo().homedir]) {
    try {
      const home = look()
      if (isAbsolute(home)) return home
    } catch {
      // The next one may succeed.
    }
  }
  return null
}

/**
 * The user's home folder. An empty or relative HOME counts as unset, because it would name a different folder wherever
 * the program starts. Throws `NoHome`.
 */
export function homeFolder(environment: Environment, ofSystem: () => string | null = systemHome): string {
  const { HOME: named = '' } = environment
  const home = isAbsolute(named) ? named : ofSystem()
  if (home === null) throw new NoHome()
  return home
}

/**
 * The folders the desk may write to, by the XDG base directory rules; an empty or relative path in a variable counts as
 * unset. Throws `NoHome` when a home folder is needed and unknown.
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
