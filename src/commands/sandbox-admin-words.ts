import { type AdminAnswer, cell, fieldsOfRow, isList, label } from './sandbox-admin-answer.ts'

// Whatever is logged may be exported or photographed: what opens an account stays out of it.
const secretField = /token|secret|password|^(partner|api|public)?key$/i
const hidden = 'not shown in a desk ("pitdesk sandbox admin" shows the one it makes)'

const named = (field: string, value: AdminAnswer[string]): string =>
  `${label(field)} ${secretField.test(field) && value !== null ? hidden : cell(field, value)}`

const inWords = (fields: AdminAnswer): string =>
  Object.entries(fields)
    .flatMap(([field, value]) => (isList(value) ? [] : [named(field, value)]))
    .join(', ')

/**
 * An answer of the administration as sentences' ends for a log: its single values first, then a line for each item of
 * its lists.
 */
export function answerWords(answer: AdminAnswer): string[] {
  const single = inWords(answer)
  const lists = Object.entries(answer).flatMap(([field, value]) => {
    if (!isList(value)) return []
    return value.length === 0
      ? [`${label(field)}: none`]
      : value.map((item) => `${label(field)}: ${inWords(fieldsOfRow(item))}`)
  })
  return [single === '' ? 'done' : single, ...lists]
}
