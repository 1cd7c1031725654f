import type * as Http from 'node:http'

/**
 * Node's HTTP servers. An `import` of the module reads every name it has, and behind one of them a whole HTTP client is
 * loaded: 20 ms of a start, in each thread.
 */
export const http: typeof Http = process.getBuiltinModule('node:http')
