// Node's own modules as the program gets them: by name, without the module that an `import` of one makes of all its
// names. To make it, Node reads each name, and behind some of them lie whole libraries: an HTTP client behind
// `node:http`, every certificate that is trusted behind `node:tls`, and nobody asked for them.
import { isBuiltin } from 'node:module'

const mark = '\0builtin:'
const isName = /^[A-Za-z_$][\w$]*$/

/** Modules that take milliseconds, and of which the first picture needs nothing: loaded when one is first called. */
const late = [
  'node:child_process',
  'node:crypto',
  'node:fs/promises',
  'node:https',
  'node:net',
  'node:tls',
  'node:vm',
  'node:zlib',
]

/** What every function has. */
const ordinary = ['length', 'name', 'prototype']

/** Whether it can be called through another function: a class cannot, nor what carries something beside itself. */
const isPlain = (value, name) =>
  typeof value === 'function' && /^[a-z]/.test(name) && Reflect.ownKeys(value).every((key) => ordinary.includes(key))

/** Whether it is a class, which is made and asked about through what stands for it. */
const isClass = (value, name) => typeof value === 'function' && /^[A-Z]/.test(name)

/** What stands for a module of Node's: a name of it is read where somebody imports that name, and not otherwise. */
export function builtinModule(name) {
  const builtin = process.getBuiltinModule(name)
  const names = Object.keys(builtin).filter((member) => isName.test(member) && member !== 'default')
  const isLate = late.includes(name)
  const standIn = (member) => {
    if (isLate && isPlain(builtin[member], member)) return `(...given) => builtin().${member}(...given)`
    const quoted = JSON.stringify(member)
    return `/* @__PURE__ */ ${isLate && isClass(builtin[member], member) ? 'classNamed' : 'read'}(${quoted})`
  }
  return [
    'let kept',
    `const builtin = () => (kept ??= process.getBuiltinModule(${JSON.stringify(name)}))`,
    'const read = (member) => builtin()[member]',
    'const all = /* @__PURE__ */ builtin()',
    // A function's own prototype may be told otherwise, a class's may not.
    'const classNamed = (member) => new Proxy(function () {}, {',
    '  apply: (_, self, given) => Reflect.apply(read(member), self, given),',
    '  construct: (_, given, made) => Reflect.construct(read(member), given, made),',
    '  get: (_, key) => Reflect.get(read(member), key),',
    '})',
    ...names.map((member) => `const $${member} = ${standIn(member)}`),
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
