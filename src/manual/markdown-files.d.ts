/** A page of the manual as its text: `.tools/manual.mjs` makes a module of it, for the bundle and for the tests. */
declare module '*.md' {
  const text: string
  export default text
}
