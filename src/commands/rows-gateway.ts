import type { CommandRow } from './command.ts'
import { readFlags } from './flags.ts'

/** One-shot reads of the payment gateway. */
export const gatewayRows: readonly CommandRow[] = [
  {
    kind: 'parsed',
    name: 'eligibility',
    summary: 'what the payment gateway lets you sell, to whom and against what',
    words: 'currencies|regions|payment-methods',
    wordsMost: 1,
    wordChoices: ['currencies', 'regions', 'payment-methods'],
    flags: [
      { name: 'all', placeholder: null, meaning: 'with regions: those too in which buying is not permitted' },
      ...readFlags,
    ],
    notes: [
      'The gateway is gateway_base_url of the profile or PITDESK_GATEWAY_BASE_URL; its key is PITDESK_PARTNER_KEY, partner_key_file or partner_key_command.',
    ],
    load: async () => (await import('./eligibility.ts')).runEligibility,
  },
]
