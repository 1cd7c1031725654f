// Properties try the same examples in every run of `npm test`: whoever changes nothing that they are about must not
// meet a failure. Others are tried by `npm run test:long`, by chance, and by `PITDESK_TEST_SEED=NUMBER npm test`.
import fc from 'fast-check'

const { PITDESK_TEST_FORM: form, PITDESK_TEST_SEED: seed } = process.env

if (seed !== undefined || form !== 'long') fc.configureGlobal({ seed: Number(seed ?? 20) })
