/** Whether this is the long form: `npm run test:long`. */
const isLong = process.env.PITDESK_TEST_FORM === 'long'

/**
 * How often, or how much, of what is done by chance or by weight: `short` in `npm test`, where it still finds what it
 * was made for, and `long` in `npm run test:long`. The table in `test/README.md` has a row for each file that asks.
 */
export const runs = <Much>(short: Much, long: Much): Much => (isLong ? long : short)
