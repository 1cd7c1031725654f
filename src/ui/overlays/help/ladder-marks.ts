/** A mark of the ladder and what it tells. */
export type Mark = { mark: string; meaning: string }

/** The marks that a ladder's rows carry; an amount stands for any. */
export const ladderMarks: readonly Mark[] = [
  { mark: '>', meaning: 'the row the keys act on' },
  { mark: '*', meaning: 'price of the last trade' },
  { mark: "'", meaning: 'the same, market moved on' },
  { mark: '@', meaning: 'average of your own fills' },
  { mark: '=', meaning: 'an auction opens here' },
  { mark: 'B.05 S.05', meaning: 'your order rests here' },
  { mark: 'B.15x3', meaning: 'three orders, .15 in all' },
  { mark: 'b.05 s.05', meaning: 'your stop waits for it' },
  { mark: 'B.05! B+b', meaning: 'your order, and your stop' },
]
