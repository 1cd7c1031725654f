/** What stops orders where there is no hub that could be halted. */
export const withoutHub =
  'Without a hub, pitdesk order cancel-all --every-symbol cancels every working order (asks), and a desk is halted ' +
  'by its key K.'
