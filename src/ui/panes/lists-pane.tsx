import { useMemo } from 'react'
import type { DeskState } from '../../store/desk.ts'
import { type PaneName, paneRow } from '../../store/view/panes.ts'
import { useTheme } from '../text/desk-context.ts'
import { frameRows } from '../text/frame.tsx'
import { Region } from '../text/region.tsx'
import { besideEachOther, type Row, rowWidth } from '../text/row.ts'
import { type ListContent, orderCountText, type PaneProps, titleRow, titleWithNote } from './pane-view.tsx'

/** Where one of a pane's lists stands, in cells with its borders. */
export type ListPlace<List> = { list: List; width: number }

/** The room inside a list's frame. */
export type PlaceRoom = { width: number; rowCount: number }

/**
 * The lists that share a place, each always in its own: `>` marks the one in front where there are others. One that
 * comes to the front gets the mark, and the others stay where the eye knows them.
 */
export const namesInPlace = <List,>(lists: readonly List[], front: List, nameOf: (list: List) => string): string =>
  lists.map((each) => `${each === front && lists.length > 1 ? '>' : ''}${nameOf(each)}`).join('  ')

/** What stands in a title beside what is said of the lists. */
type TitleParts = { note: Row; width: number; tabs: PaneProps['tabs']; orderCount: string }

/**
 * The title of a place: the pane's digit, the longest of the `forms` of what is said of its lists that has room, and
 * the panes that share the place. What is wrong with the data comes before all but the shortest form.
 */
export function listsTitle(
  pane: PaneName,
  forms: readonly string[],
  { note: whole, width, tabs, orderCount }: TitleParts,
): Row {
  const { digit } = paneRow(pane)
  const titleOf = (form: string, room: number) => titleRow(pane, tabs, orderCount, room, { [pane]: `${digit} ${form}` })
  const titleIn = (room: number): Row => {
    const titles = forms.map((form) => titleOf(form, room))
    return titles.find((each) => rowWidth(each) <= room) ?? titles.at(-1) ?? []
  }
  const bareForms = () => forms.map((form) => titleRow(pane, undefined, '', width, { [pane]: `${digit} ${form}` }))
  return titleWithNote(titleIn, bareForms, whole, width - 4)
}

type Lists<List> = {
  /** All that there are, in the order in which they are named. */
  lists: readonly List[]
  /** The one that the keys go to. */
  front: List
  /** From the left. */
  places: readonly ListPlace<List>[]
  contentOf: (list: List, room: PlaceRoom) => ListContent
  /** What a place says of its lists, from the longest form to the shortest; `named` are its own and those behind it. */
  formsOf: (list: List, named: readonly List[]) => readonly string[]
}

type ListsPaneProps<Source, List> = PaneProps & {
  pane: PaneName
  /** What the lists are made from, see `Region`. */
  select: (state: DeskState) => Source
  /** The lists in a pane of `width` cells. */
  listsOf: (source: Source, width: number) => Lists<List>
}

/** Several lists in one pane, beside each other as far as they have places; the last one names those behind it. */
export function ListsPane<Source, List extends string>(props: ListsPaneProps<Source, List>) {
  const { pane, select, listsOf, width, height, isFocused, tabs } = props
  const theme = useTheme()
  const selectAll = useMemo(
    () => (state: DeskState) => ({
      own: select(state),
      orderCount: orderCountText(state),
      isSpoken: state.looks.isSpoken,
    }),
    [select],
  )
  const rows = useMemo(() => {
    return ({ own, orderCount, isSpoken }: ReturnType<typeof selectAll>): Row[] => {
      const { lists, front, places: beside, contentOf, formsOf } = listsOf(own, width)
      // Beside each other they would be read across.
      const places = isSpoken ? [{ list: front, width }] : beside
      const isPlaced = (list: List) => places.some((place) => place.list === list)
      const drawn = places.map(({ list, width: cells }, at) => {
        const isLast = at === places.length - 1
        const content = contentOf(list, { width: cells - 2, rowCount: height - 2 })
        const forms = formsOf(
          list,
          lists.filter((each) => each === list || (isLast && !isPlaced(each))),
        )
        const parts = { note: content.note, width: cells, tabs: at === 0 ? tabs : undefined, orderCount }
        const title = listsTitle(pane, forms, parts)
        const kind = isFocused && list === front ? 'focus' : 'plain'
        return frameRows({ ...content, title }, { width: cells, height }, kind, theme)
      })
      return besideEachOther(drawn)
    }
  }, [pane, listsOf, width, height, isFocused, tabs, theme])
  return <Region width={width} height={height} select={selectAll} rows={rows} />
}
