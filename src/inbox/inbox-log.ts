/**
 * What a line of the inbox's log is to whoever sits before a desk that has this inbox: trouble, the end of it, or
 * nothing to be told of. A line with `ALARM` in it is trouble without being called so: those who page by the log know
 * it by that word.
 */
export type InboxNews = 'bad' | 'good'

/** Takes one line without an end. */
export type InboxLog = (line: string, news?: InboxNews) => void

/** What a line is to the user; null: nothing to be told of. */
export const newsOf = (line: string, news?: InboxNews): InboxNews | null =>
  news ?? (line.includes('ALARM') ? 'bad' : null)
