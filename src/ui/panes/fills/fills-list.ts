import type { Fill } from '../../../domain/orders/fills.ts'
import type { DeskState } from '../../../store/desk.ts'
import { allFills } from '../../../store/history/history.ts'
import { createList } from '../../tables/list.ts'
import { type ListSource, listSource } from '../../tables/list-source.ts'
import { rememberLast } from '../../tables/remember.ts'
import { symbolsContext } from '../list-context.ts'
import { fillsTable } from './fills-table.ts'
import { sumLineCount } from './sums-rows.ts'

const joined = rememberLast((recent: readonly Fill[] | null, older: readonly Fill[]) => allFills(recent ?? [], older))

/** What polls brought and what was scrolled to, newest first; the same list while both are the same. */
export const fillItems = ({ fills, fillHistory }: Pick<DeskState, 'fills' | 'fillHistory'>): readonly Fill[] =>
  joined(fills.value, fillHistory.fills)

/** The list of the fills pane, newest first unless it is sorted. */
export const fillsList = createList(fillsTable)

export const fillsSource: ListSource = {
  ...listSource(
    'fills',
    fillsList,
    fillItems,
    ({ instruments }) => symbolsContext(instruments.value),
    (commands) => commands.fetchOlderFills(),
  ),
  // The sums stand below the list.
  lineCount: (rowCount) => fillsList.lineCount(rowCount - sumLineCount(rowCount)),
}
