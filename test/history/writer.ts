// Writes fills and bars until it is killed, and says each time how far it is: `writer.ts FOLDER FIRST STEP [COUNT]`.
import { writeSync } from 'node:fs'
import { HistoryError } from '../../src/history/history-database.ts'
import { aBar, aFill, dayStartMs, opened } from './aids.ts'

const [folder = '', first = '1', step = '1', most = 'Infinity'] = process.argv.slice(2)

/** As a desk does: what another keeps from being opened or written is tried again a little later. */
function patiently<T>(attempt: () => T): T {
  for (;;) {
    try {
      return attempt()
    } catch (error) {
      if (!(error instanceof HistoryError) || error.kind !== 'busy') throw error
    }
  }
}

const file = patiently(() => opened(folder))
for (let number = Number(first), count = 0; count < Number(most); number += Number(step), count += 1) {
  patiently(() => file.putFills([aFill(number)], { id: 1, belowMs: number }))
  patiently(() => file.putBars([['BTC-USD', aBar(dayStartMs, { lookCount: 1 })]]))
  writeSync(1, `${number}\n`)
}
file.close()
