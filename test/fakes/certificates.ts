import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** A certificate and its key, both in PEM form. */
export type Identity = { certificatePem: string; keyPem: string; key: KeyObject; subject: Buffer }

const idOf = (dotted: string): Buffer => {
  const [first = 0, second = 0, ...others] = dotted.split('.').map(Number)
  const bytes = [first * 40 + second]
  for (const other of others) {
    const groups = [other & 0x7f]
    for (let rest = other >> 7; rest > 0; rest >>= 7) groups.unshift((rest & 0x7f) | 0x80)
    bytes.push(...groups)
  }
  return der(0x06, Buffer.from(bytes))
}

/** One value of ASN.1: tag, length, content. */
function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts)
const bits = (content: Buffer) => der(0x03, Buffer.from([0]), content)
const octets = (content: Buffer) => der(0x04, content)
const extension = (id: string, content: Buffer) => sequence(idOf(id), octets(content))
const nameOf = (text: string) => sequence(der(0x31, sequence(idOf('2.5.4.3'), der(0x0c, Buffer.from(text)))))
const timeOf = (atMs: number) =>
  der(0x18, Buffer.from(`${new Date(atMs).toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`))

const dayMs = 86_400_000
const ecdsaWithSha256 = sequence(idOf('1.2.840.10045.4.3.2'))

/**
 * Makes a certificate for the name, signed by `issuer`, or by itself when there is none; `isAuthority` lets it sign
 * others. It is valid from a day ago for `days`, which may be so few that it has expired.
 */
export function makeIdentity(name: string, options: { issuer?: Identity; isAuthority?: boolean; days?: number } = {}) {
  const { issuer, isAuthority = false, days = 10 } = options
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const subject = nameOf(name)
  const fromMs = Date.now() - dayMs
  const isAddress = /^[\d.]+$/.test(name)
  const alternative = isAddress ? der(0x87, Buffer.from(name.split('.').map(Number))) : der(0x82, Buffer.from(name))
  const extensions = [
    extension('2.5.29.19', sequence(...(isAuthority ? [der(0x01, Buffer.from([0xff]))] : []))),
    extension('2.5.29.17', sequence(alternative)),
  ]
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1, ...randomBytes(8)])),
    ecdsaWithSha256,
    issuer?.subject ?? subject,
    sequence(timeOf(fromMs), timeOf(fromMs + days * dayMs)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  )
  const certificate = sequence(body, ecdsaWithSha256, bits(sign('sha256', body, issuer?.key ?? privateKey)))
  const text = certificate
    .toString('base64')
    .match(/.{1,64}/g)
    ?.join('\n')
  const identity: Identity = {
    certificatePem: `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`,
    keyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    key: privateKey,
    subject,
  }
  return identity
}
