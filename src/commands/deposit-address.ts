import { plainText } from '../base/plain-text.ts'
import { addressParts } from '../domain/transfers/transfer.ts'
import { done, failure, type Run, wrongUsage } from './command.ts'
import { formOf, one, printReading, text } from './read-output.ts'
import { withSession } from './session.ts'

const columns = [text('currency', 'CURRENCY'), text('type', 'TYPE'), text('address', 'ADDRESS'), text('tag', 'TAG')]

/**
 * The address that a crypto currency is paid in to, its tag apart. Asking moves no money, but may make a new address.
 */
export const runDepositAddress: Run = (given, io, tools) => {
  const [code = ''] = given.words
  if (!/^[A-Za-z0-9]{1,20}$/.test(code))
    return Promise.resolve(wrongUsage('currency missing, e.g. pitdesk deposit-address BTC'))
  const currency = code.toUpperCase()
  return withSession(given, { io, tools, mayWrite: true }, async ({ client, settings }) => {
    if (settings.isMonitor)
      return failure(
        'notSent',
        `profile ${settings.profileName} is read only (MONITOR), and asking may make an address`,
      )
    const { type, address: whole } = await client.createDepositAddress(currency, io.signal)
    const { address, tag } = addressParts(whole)
    const form = formOf(given, io.stdout)
    if (form === 'table') {
      await io.print(plainText(`Pay ${currency} in to: ${address}`))
      if (tag !== null) await io.print(plainText(`With the tag (without it the money does not arrive): ${tag}`))
      return done
    }
    const row = { currency, type, address, tag }
    await printReading(one(row), columns, form, io)
    return done
  })
}
