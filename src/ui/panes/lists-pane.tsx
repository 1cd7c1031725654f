import { useMemo } from 'react'
import type { DeskState } from '../../store/desk.ts'
import { type PaneName, paneRow } from '../../store/view/panes.ts'
import { useTheme } from '../text/desk-context.ts'
import { frameRows } from '../text/frame.tsx'
import { Region } from '../text/region.tsx'
import { besideEachOther, type Row, rowWidth } from '../text/row.ts'
import { type ListContent, orderCountText, type PaneProps, titleRow, titleWithNote } from './pane-view.tsx'

/** One of a pane's lists and its width in cells, borders included. */
export type ListPlace<List> = { list: List; width: number }

/** The size inside a list's frame. */
export type PlaceRoom = { width: number; rowCount: number }

/**
 * Names of the lists that share a place, in a fixed order: `>` marks the front one if there are others. Bringing a list
 * to the front moves only the mark.
 */
export const namesInPlace = <List,>(lists: readonly List[], front: List, nameOf: (list: List) => string): string =>
  lists.map((each) => `${each === front && lists.length > 1 ? '>' : ''}${nameOf(each)}`).join('  ')

/** What a title holds besides the names of the lists. */
type TitleParts = { note: Row; width: number; tabs: PaneProps['tabs']; orderCount: string }

/**
 * A place's title: the pane's digit, the longest of `forms` that fits, and the panes that share the place. A data
 * warning has priority over all but the shortest form.
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
  /** All lists, in the order they are named. */
  lists: readonly List[]
  /** The list that takes the keys. */
  front: List
  /** From left to right. */
  places: readonly ListPlace<List>[]
  contentOf: (list: List, room: PlaceRoom) => ListContent
  /** Titles of a place from longest to shortest; `named` are its own list and those hidden behind it. */
  formsOf: (list: List, named: readonly List[]) => readonly string[]
}

type ListsPaneProps<Source, List> = PaneProps & {
  pane: PaneName
  /** The inputs of the lists, see `Region`. */
  select: (state: DeskState) => Source
  /** The lists in a pane of `width` cells. */
  listsOf: (source: Source, width: number) => Lists<List>
}

/** Several lists in one pane, side by side as far as they fit; the last place's title names the hidden ones. */
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
      // A screen reader would read side-by-side lists across.
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
