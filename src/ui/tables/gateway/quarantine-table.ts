import type { QuarantinedText } from '../../../domain/gateway/service-events.ts'
import type { DeskState } from '../../../store/desk.ts'
import { ageColumn, countColumn, momentTexts, wordColumn } from '../columns.ts'
import { createList } from '../list.ts'
import { listSource } from '../list-source.ts'
import type { ListColumn } from '../list-table.ts'

type Column = ListColumn<QuarantinedText, null>
const word = wordColumn<QuarantinedText, null>

/** `KEPT` until a replay has read it as an event. */
const stateOf = ({ replayedAtMs }: QuarantinedText): string => (replayedAtMs === null ? 'KEPT' : 'REPLAYED')

const columns: readonly Column[] = [
  countColumn('number', 'NO', ({ sequence }) => sequence, 0),
  {
    ...word('state', 'STATE', stateOf, 0),
    tone: ({ replayedAtMs }) => (replayedAtMs === null ? 'warn' : 'dim'),
  },
  word('source', 'FROM', ({ source }) => source, 3),
  ageColumn(({ receivedAtMs }) => receivedAtMs, 2),
  { ...word('reason', 'REASON', ({ reason }) => reason, 0), isFlexible: true },
]

export const quarantineItems = ({ gateway }: Pick<DeskState, 'gateway'>): readonly QuarantinedText[] =>
  gateway.inbox.quarantine

/** Bodies that are not events, as received, newest first. */
const quarantineList = createList({
  columns,
  keyOf: ({ sequence }: QuarantinedText) => String(sequence),
  fields: [
    { label: 'number', text: ({ sequence }: QuarantinedText) => String(sequence) },
    { label: 'reason', text: ({ reason }) => reason },
    { label: 'received', ...momentTexts(({ receivedAtMs }) => receivedAtMs) },
    { label: 'from', text: ({ source }) => source },
    {
      label: 'replayed',
      ...momentTexts(({ replayedAtMs }) => replayedAtMs),
      instead: () => 'not read as an event yet',
    },
    { label: 'body', text: ({ text }) => text, instead: () => 'empty' },
  ],
})

export const quarantineSource = listSource('quarantine', quarantineList, quarantineItems, () => null)
