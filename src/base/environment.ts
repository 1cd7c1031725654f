import { homedir } from 'node:os'
import { join } from 'node:path'

/** The variables of the process. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * The folders the desk may write to, after the XDG base directory rules; a relative path in a variable counts as unset.
 */
export function xdgFolders(environment: Environment): { state: string; data: string; config: string; cache: string } {
  const home = environment.HOME ?? homedir()
  const folder = (name: string, fallback: string) => {
    const value = environment[name] ?? ''
    return join(value.startsWith('/') ? value : join(home, fallback), 'pitdesk')
  }
  return {
    state: folder('XDG_STATE_HOME', '.local/state'),
    data: folder('XDG_DATA_HOME', '.local/share'),
    config: folder('XDG_CONFIG_HOME', '.config'),
    cache: folder('XDG_CACHE_HOME', '.cache'),
  }
}
