import { suggestion } from '../../base/nearest-name.ts'
import { gatewayListsOf } from '../gateway/gateway-commands.ts'
import { isGatewayList } from '../gateway/gateway-list.ts'
import { themeNamesOf } from '../looks.ts'
import type { DeskState } from '../state.ts'
import { type ListPane, listPanes } from '../tables/table-view.ts'
import { isTransferList } from '../transfers/transfer-list.ts'
import { type SentenceReader, wordsOf } from './sentence.ts'

/** Those that there are on this desk. */
function listsOf(state: DeskState): readonly ListPane[] {
  const gateway: readonly ListPane[] = gatewayListsOf(state)
  return listPanes.filter((list) => !isGatewayList(list) || gateway.includes(list))
}

export const exportSentence: SentenceReader = {
  name: 'export',
  help: 'a list as a CSV file, as it is filtered and sorted',
  example: 'export orders',
  starts: ['export'],
  words: (_, state) => listsOf(state),
  read(line, state) {
    const [first, name = '', ...rest] = wordsOf(line)
    if (first !== 'export') return null
    const lists = listsOf(state)
    const pane = lists.find((each) => each === name)
    if (pane === undefined || rest.length > 0) {
      const hint = name === '' ? '' : suggestion(name, lists)
      return { kind: 'wrong', lines: [`Say which list${hint}: ${lists.join(', ')}.`] }
    }
    return {
      kind: 'understood',
      lines: [`Go to the ${pane} and write its rows to a CSV file, as they are filtered and sorted there.`],
      enter: 'writes the file and says where it is',
      run(commands, act) {
        if (isTransferList(pane)) commands.showTransferList(pane)
        else if (isGatewayList(pane)) commands.showGatewayList(pane)
        else commands.focusPane(pane)
        act('exportRows')
      },
    }
  },
}

export const themeSentence: SentenceReader = {
  name: 'theme',
  help: 'another look of the desk',
  example: 'theme light',
  starts: ['theme'],
  words: (_, { looks }) => themeNamesOf(looks),
  read(line, { looks }) {
    const [first, name = '', ...rest] = wordsOf(line)
    if (first !== 'theme') return null
    const names = themeNamesOf(looks)
    const theme = names.find((each) => each.toLowerCase() === name)
    if (theme === undefined || rest.length > 0) {
      const hint = name === '' ? '' : suggestion(name, names)
      return { kind: 'wrong', lines: [`Say which one${hint}: ${names.join(', ')}.`] }
    }
    return {
      kind: 'understood',
      lines: [`Draw the desk in the theme ${theme}.`],
      enter: 'draws it so',
      run: (commands) => commands.chooseTheme(theme),
    }
  },
}
