// What the program uses of undici: its HTTP clients. The package's own entry loads a browser's `fetch`, WebSockets,
// cookies, caches and mocks with them, which is most of its code, and stays in memory in each thread that sends
// anything. Every name the program imports from 'undici' has to be here: a build says which is not.
import api from '../../node_modules/undici/lib/api/index.js'
import Agent from '../../node_modules/undici/lib/dispatcher/agent.js'
import Client from '../../node_modules/undici/lib/dispatcher/client.js'
import Dispatcher from '../../node_modules/undici/lib/dispatcher/dispatcher.js'
import Pool from '../../node_modules/undici/lib/dispatcher/pool.js'
import ProxyAgent from '../../node_modules/undici/lib/dispatcher/proxy-agent.js'

// As the package's entry does.
Object.assign(Dispatcher.prototype, api)

export { Agent, Client, Dispatcher, Pool, ProxyAgent }
