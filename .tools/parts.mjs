// Into which files the program is bundled. Every file that Node loads costs it about a millisecond, and code that is
// not needed yet costs as well: so what the first screen needs is in two files, what a desk is opened with in three
// more (one has what the thread of its practice exchange needs too), and each command has its own.

/** The modules that a module needs from the first moment, itself among them. */
function needs(from, info) {
  const seen = new Set(from)
  for (const id of seen) for (const next of info(id)?.importedIds ?? []) seen.add(next)
  return seen
}

/**
 * A plugin that sees which module needs which, and the groups of modules that share a file. Given are the ends of the
 * paths of the first screen's module, of the one that opens a desk, and of the thread of its practice exchange.
 */
export function programParts({ screen, opening, thread }) {
  const partOf = new Map()
  const plugin = {
    name: 'parts',
    buildEnd(error) {
      if (error !== undefined) return
      const info = (id) => this.getModuleInfo(id)
      const ids = [...this.getModuleIds()]
      const at = (end) => ids.filter((id) => id.endsWith(end))
      const shown = needs(at(screen), info)
      const opened = needs(at(opening), info)
      const commands = ids.flatMap((id) => {
        const { isEntry = false, dynamicImporters = [] } = info(id) ?? {}
        return (isEntry || dynamicImporters.length > 0) && !id.endsWith(screen) && !id.endsWith(opening) ? [id] : []
      })
      const elsewhere = needs(commands, info)
      for (const id of shown) partOf.set(id, elsewhere.has(id) ? 'base' : 'screen')
      for (const id of opened) if (!shown.has(id)) partOf.set(id, elsewhere.has(id) ? 'services' : 'desk')
      const apart = needs(at(thread), info)
      for (const id of apart) if (partOf.get(id) === 'services') partOf.set(id, 'wire')
      // What starts is a file of its own, whatever it needs.
      for (const id of ids) if (info(id)?.isEntry === true) partOf.delete(id)
    },
  }
  const names = ['base', 'screen', 'wire', 'services', 'desk']
  const groups = names.map((name, at) => ({
    name,
    test: (id) => partOf.get(id) === name,
    priority: names.length - at,
  }))
  return { plugin, groups }
}
