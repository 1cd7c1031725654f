// Files of nothing but ASCII. One letter beyond it, and the engine keeps the whole text of a file with two bytes a
// letter, in each thread that loads it, and reads it more slowly: `charset` writes such letters as escapes, but for the
// names of people in comments on licences.

const comments = /\/\*[\s\S]*?\*\/|\/\/!.*/g
const beyond = /[^\x00-\x7f]/g

/** The code with the letters in its comments as near as ASCII has them. Throws where one is left elsewhere. */
export function plainComments(code) {
  const plain = code.replace(comments, (comment) =>
    comment.replace(beyond, (letter) =>
      letter.normalize('NFD').codePointAt(0) < 0x80 ? letter.normalize('NFD')[0] : '?',
    ),
  )
  const [left] = plain.match(beyond) ?? []
  if (left !== undefined) throw new Error(`a file of the program is not ASCII: ${left} at ${plain.indexOf(left)}`)
  return plain
}

export const asciiPlugin = {
  name: 'ascii',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) if (file.type === 'chunk') file.code = plainComments(file.code)
  },
}
