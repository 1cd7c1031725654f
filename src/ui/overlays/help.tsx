import { Box } from 'ink'
import { useTheme } from '../console-context.ts'
import { type KeySection, keySections } from '../key-help.ts'
import { Lines } from '../widgets/lines.tsx'
import { paintRows } from '../widgets/pane-frame.ts'
import { SmallTable, smallTableSize } from '../widgets/small-table.tsx'
import type { ScreenSize } from './dialog.tsx'

type HelpTable = { columns: [string, string]; rows: Record<string, string>[] }

/** Sections below each other in one table: the first one's name is the head, the others' names are rows. */
function tableOf(sections: readonly KeySection[]): HelpTable {
  const columns: [string, string] = [sections[0]?.title ?? '', 'WHAT IT DOES']
  const row = (keys: string, label: string) => ({ [columns[0]]: keys, [columns[1]]: label })
  const rows = sections.flatMap(({ title, entries }, index) => [
    ...(index === 0 ? [] : [row(title, '')]),
    ...entries.map(({ keys, label, isDanger }) => row(keys, isDanger ? `${label} !` : label)),
  ])
  return { columns, rows }
}

const half = Math.ceil(keySections.length / 2)
/** All keys in two tables of about the same length, side by side. */
export const helpTables: readonly HelpTable[] = [tableOf(keySections.slice(0, half)), tableOf(keySections.slice(half))]
const titles = new Set(keySections.map(({ title }) => title))

/** Every key there is, from the key table; `!` marks those that send or take back orders. */
export function HelpOverlay({ screen }: { screen: ScreenSize }) {
  const theme = useTheme()
  const sizes = helpTables.map(({ columns, rows }) => smallTableSize(columns, rows))
  const width = sizes.reduce((sum, size) => sum + size.width, 0)
  const height = Math.max(...sizes.map((size) => size.height))
  const left = Math.max(0, Math.floor((screen.columns - width) / 2))
  const top = Math.max(0, Math.floor((screen.rows - 1 - height) / 2))
  const blank = paintRows(
    Array.from({ length: height }, () => []),
    width,
    theme,
  )
  return (
    <>
      <Box position="absolute" top={top} left={left}>
        <Lines lines={blank} width={width} />
      </Box>
      <Box position="absolute" top={top} left={left} flexDirection="row">
        {helpTables.map(({ columns, rows }) => (
          <SmallTable
            key={columns[0]}
            columns={columns}
            rows={rows}
            toneOf={(column, text) =>
              titles.has(text) ? 'title' : column === 0 ? 'key' : text.endsWith('!') ? 'warn' : 'text'
            }
          />
        ))}
      </Box>
    </>
  )
}
