// Node's own modules as the program gets them: by name, without the module that an `import` of one makes of all its
// names. To make it, Node reads each name, and behind some of them lie whole libraries: an HTTP client behind
// `node:http`, every certificate that is trusted behind `node:tls`, and nobody asked for them.
import { isBuiltin } from 'node:module'

const mark = '\0builtin:'
const isName = /^[A-Za-z_$][\w$]*$/

/** Modules that take milliseconds, and of which the first picture needs nothing: loaded when one is first called. */
const late = ['node:crypto', 'node:zlib']

/** What every function has. */
const ordinary = ['length', 'name', 'prototype']

/** Whether it can be called through another function: a class cannot, nor what carries something beside itself. */
const isPlain = (value, name) =>
  typeof value === 'function' && /^[a-z]/.test(name) && Reflect.ownKeys(value).every((key) => ordinary.includes(key))

/** What stands for a module of Node's: a name of it is read where somebody imports that name, and not otherwise. */
export function builtinModule(name) {
  const builtin = process.getBuiltinModule(name)
  const names = Object.keys(builtin).filter((member) => isName.test(member) && member !== 'default')
  const isLate = (member) => late.includes(name) && isPlain(builtin[member], member)
  return [
    'let kept',
    `const builtin = () => (kept ??= process.getBuiltinModule(${JSON.stringify(name)}))`,
    'const read = (member) => builtin()[member]',
    'const all = /* @__PURE__ */ builtin()',
    ...names.map((member) =>
      isLate(member)
        ? `const $${member} = (...given) => builtin().${member}(...given)`
        : `const $${member} = /* @__PURE__ */ read(${JSON.stringify(member)})`,
    ),
    `export { all as default, ${names.map((member) => `$${member} as ${member}`).join(', ')} }`,
  ].join('\n')
}

export const builtinsPlugin = {
  name: 'builtins',
  resolveId(source, importer, { kind }) {
    if (kind !== 'import-statement' || !isBuiltin(source)) return undefined
    // What the bundler adds stays as it is: bundles that have the same of it share files.
    if (importer?.startsWith('\0')) return undefined
    return `${mark}${source.startsWith('node:') ? source : `node:${source}`}`
  },
  load(id) {
    return id.startsWith(mark) ? { code: builtinModule(id.slice(mark.length)), moduleSideEffects: false } : undefined
  },
}
