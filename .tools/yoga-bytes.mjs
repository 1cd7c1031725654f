// Yoga, which lays the screen out for Ink, carries its WebAssembly as text and has it read by `fetch`. In Node that
// loads a whole HTTP client to decode a string: 30 of the 50 ms that Ink takes to load, before anything is drawn. Its
// loader takes the bytes as well (`wasmBinary`, an option of Emscripten): here they are handed over, and the text is
// kept once. `test/tools/yoga-bytes.test.ts` fails when the published files changed.

const text = /"data:application\/octet-stream;base64,([A-Za-z0-9+/=]+)"/g

/** Replaces what is there exactly once. */
function replaced(code, pattern, by) {
  const found = [...code.matchAll(pattern)]
  if (found.length !== 1) throw new Error(`Yoga's files are not as published: ${found.length} places of ${pattern}`)
  return code.replace(pattern, by)
}

/** The loader without the text, which it exports as bytes. */
export function loaderWithBytes(code) {
  const [, base64 = ''] = [...code.matchAll(text)][0] ?? []
  const emptied = replaced(code, text, '"data:application/octet-stream;base64,"')
  return `${emptied}\nexport const yogaBytes = () => Buffer.from('${base64}', 'base64');\n`
}

/** The module that loads it, with the bytes. */
export function indexWithBytes(code) {
  const imported = replaced(code, /import loadYoga from ('[^']+');/g, 'import loadYoga, { yogaBytes } from $1;')
  return replaced(imported, /await loadYoga\(\)/g, 'await loadYoga({ wasmBinary: yogaBytes() })')
}

export const yogaBytesPlugin = {
  name: 'yoga-bytes',
  transform(code, id) {
    if (id.endsWith('/yoga-layout/dist/src/index.js')) return { code: indexWithBytes(code), map: null }
    if (id.endsWith('/yoga-layout/dist/binaries/yoga-wasm-base64-esm.js'))
      return { code: loaderWithBytes(code), map: null }
    return undefined
  },
}
