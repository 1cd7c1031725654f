/**
 * Words of which each makes a sentence a promise until somebody says why it is none. They err on that side: a sentence
 * without any of them tells at most what something looks like or which key it is on.
 */
const words: Readonly<Record<string, readonly string[]>> = {
  'all or nothing': [
    ...['never', 'always', 'only', 'alone', 'every', 'everything', 'everywhere', 'each', 'all', 'any', 'both', 'whole'],
    ...['no', 'none', 'nothing', 'nobody', 'nowhere', 'not', 'nor', 'neither', 'cannot', 'without', 'unless', 'except'],
    ...['wherever', 'whatever', 'whoever', 'whichever', 'whenever', 'however', 'complete', 'itself', 'themselves'],
    ...['same', 'exact', 'exactly', 'letter by letter', 'to the last digit', 'must', 'may', 'can'],
  ],
  'bounds in number and time': [
    ...['once', 'twice', 'again', 'anew', 'at most', 'at least', 'up to', 'within', 'for as long as', 'as long as'],
    ...[
      'until',
      'before',
      'after',
      'first',
      'as soon as',
      'at once',
      'right before',
      'since',
      'over',
      'under',
      'beyond',
    ],
    ...['largest', 'smallest', 'a day', 'a second', 'a minute', 'an hour'],
  ],
  'what becomes of money, records and keys': [
    ...['sent', 'sends', 'send', 'recorded', 'records', 'record', 'written', 'kept', 'keeps', 'keep', 'stays', 'stay'],
    ...['survives', 'survive', 'continues', 'continue', 'remembered', 'refused', 'refuses', 'refuse', 'rejected'],
    ...['blocks', 'block', 'blocked', 'halts', 'waits', 'wait', 'asks', 'asked', 'ask', 'warns', 'warning', 'warnings'],
    ...['confirmed', 'reviewed', 'reviews', 'checked', 'checks', 'counts', 'count', 'belong', 'belongs', 'shared'],
    ...['cancels', 'canceled', 'lost', 'hidden', 'hides', 'needs', 'need', 'taken', 'left', 'arms'],
    ...['journal', 'unknown', 'limit', 'limits', 'safe', 'safely', 'approve', 'approves', 'approver', 'approvers'],
    ...['becomes', 'seen', 'still', 'instead'],
  ],
  'what it says': ['says', 'shows', 'shown', 'told', 'tells', 'marks', 'names', 'dim', 'stale', 'print', 'prints'],
}

const units =
  '(?:%|s|ms|min|minutes?|hours?|days?|h|seconds?|weeks?|MB|MiB|KB|GB|bytes|times|rows|cells|pages|USD|to \\d+)'
const promising = new RegExp(`\\b(?:${Object.values(words).flat().join('|')})\\b|\\d ?${units}(?!\\w)| ! \\|`, 'i')

/** Whether a sentence promises something, as far as its words tell: it needs a proof, or a reason why it is none. */
export const promises = (sentence: string): boolean => promising.test(sentence)
