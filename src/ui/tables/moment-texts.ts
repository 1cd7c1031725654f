import { momentText, readableMoment } from '../text/moment.ts'

type MomentTexts<Item, Context> = Record<'text' | 'shown', (item: Item, context: Context) => string>

/**
 * A moment of a row, in ms since 1970: exact and in order as `text`, for a person to read as `shown`; empty where it is
 * null.
 */
export function momentTexts<Item, Context>(
  read: (item: Item, context: Context) => number | null,
): MomentTexts<Item, Context> {
  const written = (write: (atMs: number) => string) => (item: Item, context: Context) => {
    const atMs = read(item, context)
    return atMs === null ? '' : write(atMs)
  }
  return { text: written(momentText), shown: written(readableMoment) }
}
