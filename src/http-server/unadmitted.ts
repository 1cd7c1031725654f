import type { Server } from 'node:net'
import type { Duplex } from 'node:stream'

type Peer = Duplex & { readonly remoteAddress?: string | undefined; readonly remotePort?: number | undefined }

/** The connections of a server on which nobody was admitted yet. */
type Unadmitted = {
  /** Takes a connection out of the count: somebody who may ask has asked on it. */
  admit(socket: Peer): void
}

type Limits = { each: number; all: number }
type Entry = { readonly name: string; readonly address: string; readonly socket: Peer }

/** More than the desks of an office open at once behind one address, and less than a server notices. */
const usualLimits: Limits = { each: 500, all: 2_000 }

/**
 * Cuts the oldest connection where an address, or all together, have too many on which nobody was admitted yet. Those
 * of admitted clients do not count, and a new one is let in to show who it is: whoever has no key can neither crowd
 * them out, not even from their own address, nor use up the system's open files.
 */
export function limitUnadmitted(server: Server, limits: Limits = usualLimits): Unadmitted {
  /** By address and port, which the socket of a TLS connection has in common with the one below it; oldest first. */
  const open = new Map<string, Entry>()
  const byAddress = new Map<string, Set<Entry>>()
  const nameOf = ({ remoteAddress = '', remotePort = 0 }: Peer) => `${remoteAddress} ${remotePort}`
  const release = (entry: Entry | undefined) => {
    if (entry === undefined) return
    // A later connection may have the port by now.
    if (open.get(entry.name) === entry) open.delete(entry.name)
    const own = byAddress.get(entry.address)
    own?.delete(entry)
    if (own?.size === 0) byAddress.delete(entry.address)
  }
  const cut = (entry: Entry | undefined) => {
    release(entry)
    entry?.socket.destroy()
  }
  server.on('connection', (socket) => {
    const { remoteAddress: address } = socket
    // One without an address is gone already.
    if (address === undefined) return
    const entry = { name: nameOf(socket), address, socket }
    release(open.get(entry.name))
    open.set(entry.name, entry)
    const own = byAddress.get(address) ?? new Set<Entry>()
    byAddress.set(address, own.add(entry))
    socket.once('close', () => release(entry))
    if (own.size > limits.each) cut(own.values().next().value)
    if (open.size > limits.all) cut(open.values().next().value)
  })
  return { admit: (socket) => release(open.get(nameOf(socket))) }
}
