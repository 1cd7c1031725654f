// The set of all emoji, `\p{RGI_Emoji}`, costs 9 ms to make, and string-width makes it as it is loaded, in every start.
// The first screen and the answers of commands are written without: here it is made when it is first asked.
// `test/tools/lazy-emoji.test.ts` fails when the published file changed.

const made = String.raw`const rgiEmojiRegex = /^\p{RGI_Emoji}$/v;`
const lazy = String.raw`let allEmoji = null;
const rgiEmojiRegex = { test: (text) => (allEmoji ??= /^\p{RGI_Emoji}$/v).test(text) };`

/** string-width with a set of emoji that is made when it is asked. */
export function withLazyEmoji(code) {
  if (code.split(made).length !== 2) throw new Error('string-width is not as published: it has another set of emoji')
  return code.replace(made, () => lazy)
}

export const lazyEmojiPlugin = {
  name: 'lazy-emoji',
  transform: (code, id) =>
    id.endsWith('/string-width/index.js') ? { code: withLazyEmoji(code), map: null } : undefined,
}
