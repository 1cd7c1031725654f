import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { commandTable } from '../../src/commands/command-table.ts'
import type { JsonSchema } from '../../src/commands/schema/kinds.ts'
import { publishedSchema, schemaTable } from '../../src/commands/schema/table.ts'
import { Decimal } from '../../src/domain/money.ts'
import { expectConforms, faultBy } from './conform.ts'
import { limitOrder, openExchange, openShell, quotes } from './harness.ts'

// The schemas that are published are kept in `schemas`, a file each, and are frozen: readers were written by them. What
// may change is what a reader passes over, and `UPDATE_SCHEMAS=1` writes the files anew for nothing else.

const folder = join(import.meta.dirname, 'schemas')
const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const words = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** What became of a schema that breaks whoever reads by the one before; nothing where all that changed was added. */
function breaks(before: unknown, now: unknown, path = ''): string[] {
  if (!isFields(before) || !isFields(now))
    return JSON.stringify(before) === JSON.stringify(now) ? [] : [`${path} is another`]
  const keywords = new Set([...Object.keys(before), ...Object.keys(now)])
  return [...keywords].flatMap((keyword) => {
    const [was, is] = [before[keyword], now[keyword]]
    const at = `${path}/${keyword}`
    switch (keyword) {
      // What a field means is said better now and then: whether it still means the same is for the eyes of a review.
      case 'description':
      case 'title':
        return []
      case 'properties': {
        const [old, next] = [isFields(was) ? was : {}, isFields(is) ? is : {}]
        return Object.entries(old).flatMap(([name, schema]) =>
          name in next ? breaks(schema, next[name], `${at}/${name}`) : [`${at}/${name} is gone`],
        )
      }
      case 'required': {
        const known = Object.keys(isFields(before.properties) ? before.properties : {})
        const gone = words(was).filter((name) => !words(is).includes(name))
        const added = words(is).filter((name) => !words(was).includes(name))
        return [
          ...gone.map((name) => `${at}: ${name} became optional`),
          ...added.map(
            (name) => `${at}: ${name} ${known.includes(`${name}`) ? 'became required' : 'is added as required'}`,
          ),
        ]
      }
      case 'enum':
        return Array.isArray(was) && Array.isArray(is)
          ? was.filter((word) => !is.includes(word)).map((word) => `${at}: the word ${word} is gone`)
          : [`${at} is another`]
      default:
        return breaks(was, is, at)
    }
  })
}

describe('a frozen schema', () => {
  const before = publishedSchema(
    schemaTable.find(({ name }) => name === 'withdrawal') ?? { name: '', command: '', about: '', schema: {} },
  )
  const changed = (change: (schema: Record<string, Record<string, unknown>>) => void) => {
    const copy = JSON.parse(JSON.stringify(before))
    change(copy)
    return breaks(before, copy)
  }

  test('takes an optional field, a word, and better words for its fields', () => {
    const found = changed((schema) => {
      const { properties = {} } = schema
      properties.memo = { type: 'string' }
      Object.assign(properties.currency ?? {}, { description: 'which currency' })
      const { state } = properties
      if (isFields(state)) properties.state = { ...state, enum: [...words(state.enum), 'HELD'] }
    })
    expect(found).toEqual([])
  })

  test.each<[string, (schema: Record<string, Record<string, unknown>>) => void]>([
    ['/properties/fee is gone', ({ properties = {} }) => void delete properties.fee],
    [
      '/properties/amount/type is another',
      ({ properties = {} }) => void Object.assign(properties, { amount: { type: 'number' } }),
    ],
    [
      'the word FAILED is gone',
      ({ properties = {} }) => void Object.assign(properties, { state: { type: 'string', enum: ['PENDING'] } }),
    ],
    [
      '/required: amount became optional',
      (schema) => void Object.assign(schema, { required: ['currency', 'beneficiary'] }),
    ],
    ['fee became required', (schema) => void Object.assign(schema, { required: [...words(before.required), 'fee'] })],
    ['/additionalProperties is another', (schema) => void Object.assign(schema, { additionalProperties: false })],
    ['/type is another', (schema) => void Object.assign(schema, { type: 'array' })],
  ])('does not take: %s', (told, change) => {
    expect(changed(change).join('\n')).toContain(told)
  })
})

test('the schemas are those that are kept, or what may be added to them was added', () => {
  mkdirSync(folder, { recursive: true })
  const kept = readdirSync(folder)
  const texts = new Map(
    schemaTable.map((row) => [`${row.name}.json`, `${JSON.stringify(publishedSchema(row), null, 2)}\n`]),
  )
  const broken = kept.flatMap((file) => {
    const now = texts.get(file)
    const before: unknown = JSON.parse(readFileSync(join(folder, file), 'utf8'))
    return now === undefined ? [`${file} is gone`] : breaks(before, JSON.parse(now)).map((each) => `${file}: ${each}`)
  })
  expect(broken).toEqual([])
  for (const [file, text] of texts) {
    if (process.env.UPDATE_SCHEMAS !== undefined) writeFileSync(join(folder, file), text)
    const hint = `${file}: UPDATE_SCHEMAS=1 keeps what was added`
    expect(kept.includes(file) || process.env.UPDATE_SCHEMAS !== undefined, hint).toBe(true)
    expect(JSON.parse(readFileSync(join(folder, file), 'utf8')), hint).toEqual(JSON.parse(text))
  }
})

test('every command that can print JSON has a schema, and every schema is of a command', () => {
  const commands = commandTable.filter(
    ({ kind, flags }) => kind === 'verbs' || flags.some(({ name }) => name === 'json'),
  )
  const isOf = (name: string) => (command: string) => command === name || command.startsWith(`${name} `)
  const without = commands.map(({ name }) => name).filter((name) => !schemaTable.some((row) => isOf(name)(row.command)))
  expect(without).toEqual([])
  const strange = schemaTable.filter(({ command }) => !commandTable.some(({ name }) => isOf(name)(command)))
  expect(strange.map(({ name }) => name)).toEqual(['error'])
})

/** Every part of a schema that says what a value is. */
function parts(schema: unknown): JsonSchema[] {
  if (Array.isArray(schema)) return schema.flatMap(parts)
  if (!isFields(schema)) return []
  const inner = isFields(schema.properties) ? Object.values(schema.properties).flatMap(parts) : []
  return [schema as JsonSchema, ...inner, ...parts(schema.items)]
}

test('amounts are text, every field says what it is, and an object has room for more', () => {
  for (const row of schemaTable) {
    for (const part of parts(publishedSchema(row))) {
      expect(part.type, row.name).not.toBe('number')
      if (part.type === 'object' && isFields(part.properties)) expect(part.additionalProperties, row.name).toBe(true)
      for (const [name, field] of Object.entries(isFields(part.properties) ? part.properties : {})) {
        if (!isFields(field) || field.type === 'array' || field.type === 'object') continue
        expect(field.description, `${row.name}.${name}`).toMatch(/\w/)
      }
    }
    // An independent reader of schemas takes it, and what is something else fails.
    const fits = row.schema.type === 'array' ? [] : null
    if (row.schema.type !== undefined) expect(faultBy(publishedSchema(row), fits) === null).toBe(Array.isArray(fits))
  }
})

test('the command prints the names, one schema, or all', async () => {
  const shell = openShell()
  const names = JSON.parse((await shell.run('schema')).stdout[0] ?? '')
  expectConforms('schema', names)
  expect(names).toHaveLength(schemaTable.length)
  expect((await shell.run('schema', { isTerminal: true })).stdout.join('\n')).toMatch(/NAME +COMMAND +WHAT/)
  const one: unknown = JSON.parse((await shell.run('schema order-place')).stdout[0] ?? '')
  expect(one).toMatchObject({ $id: 'urn:pitdesk:schema:order-place', type: 'object' })
  const all: unknown = JSON.parse((await shell.run('schema --all')).stdout[0] ?? '')
  expect(all).toMatchObject({ 'order-place': one })
  expect(await shell.run('schema order-plac')).toMatchObject({ code: 2 })
  expect((await shell.run('schema order-plac')).stderr.join()).toContain('did you mean "order-place"')
  expect((await shell.run('schema order-place --all')).code).toBe(2)
  expect((await shell.run('schema order-place --csv')).code).toBe(2)
})

test('what streams and what serves conforms as well', async () => {
  const exchange = await openExchange()
  await quotes(exchange)
  const shell = openShell(exchange.environment(), exchange.clock)
  await exchange.client('trader').placeOrder(limitOrder('BUY', '0.1', '50000'))
  const stream = shell.start('orders --watch')
  await stream.until(() => stream.ran.stdout.length > 0)
  stream.signal('SIGTERM')
  expectConforms('orders --watch', JSON.parse((await stream.ended).stdout[0] ?? ''))
  const { whitelistId } = await exchange.bitcoinEntry()
  await exchange.admin('/deposit/start', { account: 'trader', currency: 'BTC', amount: '0.1' })
  await exchange
    .client('trader')
    .createWithdrawal({ currency: 'BTC', amount: new Decimal('0.01'), beneficiary: whitelistId })
  for (const list of ['deposits', 'withdrawals']) {
    const [listed] = JSON.parse((await shell.runThrough(list)).stdout.join(''))
    const id = listed?.depositId ?? listed?.withdrawalId
    expectConforms(`${list} ID`, JSON.parse((await shell.runThrough(`${list} ${id}`)).stdout.join('')))
  }
  const dropped = await shell.runThrough(`withdraw BTC 0.01 --to ${whitelistId} --draft`)
  const { draftId } = JSON.parse(dropped.stdout[0] ?? '')
  expectConforms(
    'withdraw --drop ID',
    JSON.parse((await shell.runThrough(`withdraw --drop ${draftId}`)).stdout[0] ?? ''),
  )
  const served = shell.start('sandbox --port 0 --admin-port 0 --gateway-port 0 --market off')
  onTestFinished(async () => {
    served.signal('SIGTERM')
    await served.ended
  })
  await served.until(() => served.ran.stdout.length > 0)
  expectConforms('sandbox', JSON.parse(served.ran.stdout[0] ?? ''))
  const answer = await shell.runThrough('sandbox admin symbol status BTC-USD halt --json')
  expect(answer.stderr).toEqual([])
  expectConforms('sandbox admin', JSON.parse(answer.stdout[0] ?? ''))
  // It holds what is given, and not anything.
  expect(() => expectConforms('sandbox', { exchange: 1 })).toThrow('does not conform')
  expect(() => expectConforms('fees', { makerRate: 0.1, takerRate: '0', volumeInUSD: '0' })).toThrow('does not conform')
  expect(() => expectConforms('fees', { makerRate: '0', takerRate: '0', volumeInUSD: '0', new: 1 })).toThrow('.new')
})
