// The bill of materials of a release, in the JSON of CycloneDX 1.6.
import { createHash } from 'node:crypto'

const purl = (name, version) => `pkg:npm/${name.replace(/^@/, '%40')}@${version}`

/** Base64 in the lock file, hexadecimal in a bill. */
function hashOf(integrity) {
  const [algorithm, sum] = integrity.split('-')
  const alg = { sha512: 'SHA-512', sha256: 'SHA-256', sha1: 'SHA-1' }[algorithm]
  if (alg === undefined) throw new Error(`a sum of an unknown kind: ${integrity}`)
  return { alg, content: Buffer.from(sum, 'base64').toString('hex') }
}

/** An id as a UUID has it, made of what the bill says: the same bill has the same one. */
function serialOf(text) {
  const hex = createHash('sha256').update(text).digest('hex')
  const variant = '89ab'[Number.parseInt(hex[16], 16) % 4]
  const groups = [hex.slice(0, 8), hex.slice(8, 12), `5${hex.slice(13, 16)}`, variant + hex.slice(17, 20)]
  return `urn:uuid:${groups.join('-')}-${hex.slice(20, 32)}`
}

/**
 * The bill of the program with these packages in it, as text; `runtime` is the one of Node where that is in it as well.
 * It has no time: a time would make each run another.
 */
export function billOf({ name, version, license }, packages, runtime = null) {
  const own = purl(name, version)
  const components = [...packages, ...(runtime === null ? [] : [runtime])].map((each) => ({
    type: each === runtime ? 'platform' : 'library',
    'bom-ref': purl(each.name, each.version),
    name: each.name,
    version: each.version,
    purl: purl(each.name, each.version),
    licenses: [/[ ()]/.test(each.license) ? { expression: each.license } : { license: { id: each.license } }],
    hashes: [hashOf(each.integrity)],
    scope: 'required',
  }))
  const dependencies = [
    { ref: own, dependsOn: components.map((each) => each['bom-ref']) },
    ...components.map((each) => ({ ref: each['bom-ref'] })),
  ]
  const metadata = {
    component: {
      type: 'application',
      'bom-ref': own,
      name,
      version,
      purl: own,
      licenses: [{ license: { id: license } }],
    },
  }
  const serialNumber = serialOf(JSON.stringify({ metadata, components }))
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber,
    version: 1,
    metadata,
    components,
    dependencies,
  }
  return `${JSON.stringify(bill, null, 2)}\n`
}
