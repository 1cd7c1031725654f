import { mkdirSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'

type Module = Readonly<Record<string, unknown>>

/** A module of Node's. */
function nodeModule(name: string): Module {
  const own = process.getBuiltinModule(name)
  if (own === undefined) throw new Error(`Node has no ${name}`)
  return { ...own }
}

const { builtinModule, builtinsPlugin } = await import(pathToFileURL('.tools/builtins.mjs').href)
const folder = `${process.cwd()}/.cache/builtins`

/** What stands for a module of Node's in the program, loaded. */
async function standInFor(name: string): Promise<Module> {
  mkdirSync(folder, { recursive: true })
  const file = `${folder}/${name.replaceAll(/[:/]/g, '-')}.mjs`
  writeFileSync(file, builtinModule(name))
  return await import(pathToFileURL(file).href)
}

/** A file with this text, bundled as the program is. */
async function bundled(text: string): Promise<string> {
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/input.mjs`, text)
  const bundle = await rolldown({ input: `${folder}/input.mjs`, platform: 'node', plugins: [builtinsPlugin] })
  const { output } = await bundle.generate({ format: 'esm' })
  return output[0].code
}

/** Names of a module of Node's that an `import` can ask for. */
const namesOf = (own: object): string[] => Object.keys(own).filter((name) => name !== 'default')

const known = ['node:fs', 'node:http', 'node:util', 'node:events', 'node:worker_threads']

test.each(known)('every name of %s is the one of Node itself', async (name) => {
  const own = nodeModule(name)
  const standIn = await standInFor(name)
  expect(new Set(namesOf(standIn))).toEqual(new Set(namesOf(own)))
  expect(standIn.default).toBe(process.getBuiltinModule(name))
  for (const [member, value] of Object.entries(own))
    if (member !== 'default') expect(standIn[member], member).toBe(value)
})

const late = [
  'node:crypto',
  'node:zlib',
  'node:net',
  'node:tls',
  'node:https',
  'node:child_process',
  'node:fs/promises',
  'node:vm',
]

test.each(late)(
  'of what is loaded late of %s nothing is missing, and what is no plain function is that of Node',
  async (name) => {
    const own = nodeModule(name)
    const standIn = await standInFor(name)
    expect(new Set(namesOf(standIn))).toEqual(new Set(namesOf(own)))
    for (const [member, value] of Object.entries(own)) {
      const told = standIn[member]
      if (typeof value !== 'function') expect(told, member).toBe(value)
      else if (/^[A-Z]/.test(member)) expect(Reflect.get(Object(told), 'prototype'), member).toBe(value.prototype)
      // What carries something beside itself, such as how it is made a promise of, is no stand-in.
      else if (Reflect.ownKeys(value).some((key) => !['length', 'name', 'prototype'].includes(String(key))))
        expect(told, member).toBe(value)
      else expect(typeof told, member).toBe('function')
    }
  },
)

test('a class that is loaded late is made, asked about and extended as that of Node', async () => {
  const { Socket, SocketAddress } = (await standInFor('node:net')) as typeof import('node:net')
  const net = process.getBuiltinModule('node:net')
  expect(new SocketAddress({ address: '127.0.0.1', port: 7 })).toBeInstanceOf(net.SocketAddress)
  expect(SocketAddress.parse('127.0.0.1:7')?.port).toBe(7)
  expect(new net.Socket()).toBeInstanceOf(Socket)
  expect(new net.SocketAddress({ port: 7 })).not.toBeInstanceOf(Socket)
  class Own extends Socket {
    readonly isOwn = true
  }
  expect(new Own()).toBeInstanceOf(net.Socket)
  expect(new Own()).toMatchObject({ isOwn: true, connecting: false })
  // Node's older classes are functions as well.
  expect(Reflect.apply(Socket, undefined, [])).toBeInstanceOf(net.Socket)
})

test('a function that is loaded late takes what it is given', async () => {
  const crypto = (await standInFor('node:crypto')) as typeof import('node:crypto')
  const zlib = (await standInFor('node:zlib')) as typeof import('node:zlib')
  expect(crypto.createHash('sha256').update('1').digest('hex')).toMatch(/^6b86b273/)
  expect(crypto.randomBytes(7)).toHaveLength(7)
  expect(() => crypto.timingSafeEqual(Buffer.from('1'), Buffer.from('22'))).toThrow(RangeError)
  expect(`${zlib.gunzipSync(zlib.gzipSync('wide'))}`).toBe('wide')
})

test('only what is named is read, and nothing of a module that nobody uses', async () => {
  const code = await bundled("import { STATUS_CODES } from 'node:http'\nimport 'node:tls'\nconsole.log(STATUS_CODES)")
  expect(code).toContain('read("STATUS_CODES")')
  expect(code).not.toMatch(/globalAgent|node:tls|import/)
})
