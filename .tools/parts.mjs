// Into which files the program is bundled. Every file that Node loads costs it about a millisecond, and code that is
// not needed yet costs as well: so there is a file for what every start needs, one for what a desk needs to begin its
// practice exchange, two for the first screen, two for what a desk is opened with, one for the HTTP client, and each
// command has its own.

/** The modules that a module needs from the first moment, itself among them. */
function needs(from, info) {
  const seen = new Set(from)
  for (const id of seen) for (const next of info(id)?.importedIds ?? []) seen.add(next)
  return seen
}

/**
 * A plugin that sees which module needs which, and the groups of modules that share a file. Given are the ends of the
 * paths of the module that begins a desk, of the one that draws its first screen, and of the one that opens it.
 */
export function programParts({ start, screen, opening }) {
  const partOf = new Map()
  const plugin = {
    name: 'parts',
    buildEnd(error) {
      if (error !== undefined) return
      const info = (id) => this.getModuleInfo(id)
      const ids = [...this.getModuleIds()]
      const at = (...ends) => ids.filter((id) => ends.some((end) => id.endsWith(end)))
      const isEntry = (id) => info(id)?.isEntry === true
      const entries = needs(ids.filter(isEntry), info)
      const begun = needs(at(start), info)
      const shown = needs(at(screen), info)
      const opened = needs(at(opening), info)
      const client = needs(at('/undici/index.js'), info)
      const own = new Set(at(start, screen, opening))
      const commands = ids.filter((id) => !own.has(id) && (info(id)?.dynamicImporters ?? []).length > 0)
      const elsewhere = needs(commands, info)
      for (const id of opened) partOf.set(id, elsewhere.has(id) ? 'services' : 'desk')
      for (const id of shown) partOf.set(id, elsewhere.has(id) ? 'base' : 'screen')
      for (const id of begun) partOf.set(id, 'start')
      for (const id of entries) partOf.set(id, 'first')
      for (const id of client) partOf.set(id, 'client')
      // What starts is a file of its own, whatever it needs.
      for (const id of ids) if (isEntry(id)) partOf.delete(id)
    },
  }
  const names = ['first', 'start', 'base', 'screen', 'client', 'services', 'desk']
  const groups = names.map((name, at) => ({
    name,
    test: (id) => partOf.get(id) === name,
    priority: names.length - at,
  }))
  return { plugin, groups }
}
