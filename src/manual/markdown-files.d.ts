/** The text of a manual page, which `.tools/manual.mjs` turns into a module for bundle and tests. */
declare module '*.md' {
  const text: string
  export default text
}
