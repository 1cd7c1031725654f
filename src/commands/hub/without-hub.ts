/** How to stop orders without a hub. */
export const withoutHub =
  'Without a hub, pitdesk order cancel-all --every-symbol cancels every working order (asks), and a desk is halted ' +
  'by its key K.'
