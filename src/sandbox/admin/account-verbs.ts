import { optionalBoolean, strictText } from '../../wire/fields.ts'
import { message } from '../../wire/message.ts'
import type { AccountView } from '../core/types.ts'
import type { Answer } from '../http/answer.ts'
import { hashToken, type RandomBytes, secretText } from '../http/token.ts'
import type { Venue } from '../venue.ts'
import { whole } from './fields.ts'
import { answerWith, noSuch, shown, type Verb, verb } from './verb.ts'

const keyIdField = whole(1, Number.MAX_SAFE_INTEGER)

/** Accounts, keys, two-factor authentication and the whitelist: what a person does on the exchange's web page. */
export function accountVerbs(venue: Venue, randomBytes: RandomBytes): Verb[] {
  /** Does something with the account of this name. */
  const withAccount = (name: string, run: (account: AccountView) => Answer | Promise<Answer>) => {
    const account = venue.read().accountByName(name)
    return account === undefined ? noSuch('account', name) : run(account)
  }
  const setTwoFactor = (name: string, isOn: boolean) =>
    verb('2fa', name, message({ account: strictText }), (values) =>
      withAccount(values.account, ({ account }) =>
        answerWith(venue, 'setTwoFactor', { account, isOn }, () => ({ account: values.account, twoFactor: isOn })),
      ),
    )
  const changeKey = (name: string, type: 'verifyKey' | 'revokeKey', state: string) =>
    verb('key', name, message({ keyId: keyIdField }), ({ keyId }) =>
      answerWith(venue, type, { keyId }, () => ({ keyId, state })),
    )
  return [
    verb('account', 'add', message({ name: strictText, twoFactor: optionalBoolean }), ({ name, twoFactor }) =>
      answerWith(venue, 'addAccount', { name, hasTwoFactor: twoFactor ?? false }, () => ({
        name,
        twoFactor: twoFactor ?? false,
      })),
    ),
    verb('account', 'show', message({ account: strictText }), (values) =>
      withAccount(values.account, (account) => shown(describe(venue, account))),
    ),
    verb('key', 'add', message({ account: strictText }), (values) =>
      withAccount(values.account, ({ account }) => {
        const token = secretText(randomBytes)
        const key = { account, tokenHash: hashToken(token) }
        return answerWith(venue, 'addKey', key, ({ keyId }) => ({ keyId, token, state: 'unverified' }))
      }),
    ),
    changeKey('verify', 'verifyKey', 'verified'),
    changeKey('revoke', 'revokeKey', 'revoked'),
    setTwoFactor('on', true),
    setTwoFactor('off', false),
    verb('whitelist', 'add', message({ account: strictText, currency: strictText, name: strictText }), (values) =>
      withAccount(values.account, ({ account }) => {
        const entry = { account, currency: values.currency, name: values.name }
        return answerWith(venue, 'addWhitelistEntry', entry, ({ whitelistId }) => ({ ...values, whitelistId }))
      }),
    ),
    verb('whitelist', 'rm', message({ account: strictText, whitelistId: strictText }), (values) =>
      withAccount(values.account, ({ account }) =>
        answerWith(venue, 'removeWhitelistEntry', { account, whitelistId: values.whitelistId }, () => values),
      ),
    ),
  ]
}

const describe = (venue: Venue, { account, name, hasTwoFactor, keys }: AccountView) => ({
  name,
  twoFactor: hasTwoFactor,
  keys: keys.map(({ keyId, state }) => ({ keyId, state })),
  balances: venue
    .read()
    .balances(account)
    .map(({ currency, balance, available }) => ({ currency, balance, available })),
  whitelist: venue
    .read()
    .whitelist(account)
    .map(({ whitelistId, currency, name: entryName }) => ({ whitelistId, currency, name: entryName })),
})
