import { ofTypedName } from '../../base/text/nearest-name.ts'
import { jsonLine } from '../../wire/json-pieces.ts'
import { unknownWord } from '../cli/arguments.ts'
import type { Run } from '../cli/command.ts'
import { done, wrongUsage } from '../cli/exit-codes.ts'
import { formOf, list, printReading, text } from '../cli/output.ts'
import { publishedSchema, schemaTable } from './table.ts'

const columns = [text('name', 'NAME'), text('command', 'COMMAND'), text('about', 'WHAT', 1)]

/** Prints the schema of a command's JSON output, all of them in one object, or their names. */
export const runSchema: Run = async (given, io) => {
  const [typed] = given.words
  if (typed !== undefined && given.has('all')) return wrongUsage('use NAME or --all, not both')
  if (given.has('csv') && (typed !== undefined || given.has('all')))
    return wrongUsage('--csv goes with the list of names: a schema is JSON')
  if (given.has('all')) {
    await io.print(jsonLine(Object.fromEntries(schemaTable.map((row) => [row.name, publishedSchema(row)]))))
    return done
  }
  if (typed === undefined) {
    const rows = schemaTable.map(({ name, command, about }) => ({ name, command, about }))
    await printReading(list(rows), columns, formOf(given, io.stdout), io)
    return done
  }
  const row = ofTypedName(schemaTable, ({ name }) => name, typed)
  if (row === undefined)
    return wrongUsage(
      unknownWord(
        'schema',
        typed,
        schemaTable.map(({ name }) => name),
      ),
    )
  await io.print(jsonLine(publishedSchema(row)))
  return done
}
