import { type CommandArguments, conflict, type Done, done, invalid, notFound } from './commands.ts'
import { Account, type ApiKey } from './entities.ts'
import type { ExchangeState } from './state.ts'

const noAccount = 'There is no such account'
const noKey = 'There is no such key'

export function addAccount(
  state: ExchangeState,
  { name, hasTwoFactor = false }: CommandArguments['addAccount'],
): Done<{ account: number }> {
  if (!/^[a-zA-Z0-9_-]{1,40}$/.test(name)) return invalid('name', 'name must be 1 to 40 letters, digits, _ or -')
  if (state.accounts.some((account) => account.name === name)) return conflict('There is an account of this name')
  const account = new Account(state.accounts.length, name, hasTwoFactor)
  state.accounts.push(account)
  return done({ account: account.id })
}

export function setTwoFactor(state: ExchangeState, { account, isOn }: CommandArguments['setTwoFactor']): Done<null> {
  const holder = state.client(account)
  if (holder === undefined) return notFound(noAccount)
  holder.hasTwoFactor = isOn
  return done(null)
}

export function addKey(
  state: ExchangeState,
  { account, tokenHash }: CommandArguments['addKey'],
): Done<{ keyId: number }> {
  const holder = state.client(account)
  if (holder === undefined) return notFound(noAccount)
  if (!/^[0-9a-f]{64}$/.test(tokenHash)) return invalid('tokenHash', 'tokenHash must be 64 hexadecimal digits')
  if (state.keysByHash.has(tokenHash)) return conflict('The key is there already')
  const key: ApiKey = { keyId: state.nextId('key'), account, tokenHash, state: 'unverified' }
  enterKey(state, holder, key)
  return done({ keyId: key.keyId })
}

/** Makes a key known under its number and its hash. */
export function enterKey(state: ExchangeState, holder: Account, key: ApiKey): void {
  holder.keys.push(key)
  state.keysByHash.set(key.tokenHash, key)
  state.keysById.set(key.keyId, key)
}

export function verifyKey(state: ExchangeState, { keyId }: CommandArguments['verifyKey']): Done<null> {
  const key = state.keysById.get(keyId)
  if (key === undefined) return notFound(noKey)
  if (key.state === 'revoked') return conflict('The key is revoked')
  key.state = 'verified'
  return done(null)
}

export function revokeKey(state: ExchangeState, { keyId }: CommandArguments['revokeKey']): Done<null> {
  const key = state.keysById.get(keyId)
  if (key === undefined) return notFound(noKey)
  key.state = 'revoked'
  return done(null)
}

export function addWhitelistEntry(
  state: ExchangeState,
  { account, currency, name }: CommandArguments['addWhitelistEntry'],
): Done<{ whitelistId: string }> {
  const holder = state.client(account)
  if (holder === undefined) return notFound(noAccount)
  if (!state.currencies.has(currency)) return notFound('Unknown currency')
  if (name.length < 1 || name.length > 100) return invalid('name', 'name must be 1 to 100 characters')
  const whitelistId = `wl-${state.nextId('whitelist')}`
  holder.whitelist.push({ whitelistId, currency, name })
  return done({ whitelistId })
}

export function removeWhitelistEntry(
  state: ExchangeState,
  { account, whitelistId }: CommandArguments['removeWhitelistEntry'],
): Done<null> {
  const holder = state.client(account)
  if (holder === undefined) return notFound(noAccount)
  const index = holder.whitelist.findIndex((entry) => entry.whitelistId === whitelistId)
  if (index < 0) return notFound('There is no such whitelist entry')
  holder.whitelist.splice(index, 1)
  return done(null)
}
