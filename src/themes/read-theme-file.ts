import { z } from 'zod'
import { readOnce } from '../base/read-once.ts'
import { suggestion } from '../base/text/nearest-name.ts'
import { plainText } from '../base/text/plain-text.ts'
import { autoTheme, builtInThemes, usualTheme } from './built-in.ts'
import { ansiColors, type ThemeFile, type Tone, tones } from './tones.ts'

const color = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/)
  .meta({ id: 'color', description: 'red, green and blue: #rrggbb' })
const ansi = z.enum(ansiColors).meta({
  id: 'ansiColor',
  description: 'the color where a terminal has only sixteen',
})

const style = z
  .strictObject({
    fg: color.optional(),
    bg: color.optional(),
    ansi: ansi.optional(),
    ansiBg: ansi.optional(),
    bold: z.boolean().optional(),
    dim: z.boolean().optional(),
    reverse: z.boolean().optional(),
    underline: z.boolean().optional(),
  })
  .meta({ id: 'style', description: 'how a tone looks' })

const builtInNames = builtInThemes.map(({ name }) => name)

const named = <T>(value: T) => Object.fromEntries(tones.map((tone) => [tone, value])) as Record<Tone, T>

/** A theme as users write it; unnamed tones come from the base theme. */
export const themeSchema = z.strictObject({
  $schema: z.string().optional(),
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,29}$/)
    .meta({ description: 'what the setting `theme` calls it' }),
  base: z
    .enum(builtInNames)
    .meta({ description: 'the theme that gives the tones that are not named here; dark unless given' })
    .optional(),
  background: color
    .meta({
      description:
        'what the colors are made for; painted where the terminal is otherwise and words would be hard to read',
    })
    .optional(),
  tones: z.strictObject(named(style.optional())),
})
type WrittenTheme = z.infer<typeof themeSchema>

/** The JSON schema published with the themes. */
export const themeJsonSchema = () => ({
  ...z.toJSONSchema(themeSchema),
  title: 'A theme of pitdesk',
})

/** The theme, or one sentence per mistake, each starting with the file's path. */
type ThemeReading = { ok: true; value: ThemeFile } | { ok: false; issues: readonly string[] }

const styleNames = Object.keys(style.shape)
const topNames = Object.keys(themeSchema.shape)

/** Reads the text of a user's theme file. `path` is only used in the sentences. */
export function readThemeFile(text: string, path: string): ThemeReading {
  const told = (sentences: readonly string[]) => sentences.map((sentence) => plainText(`${path}: ${sentence}`))
  const tree = parseJson(text)
  if ('sentence' in tree) return { ok: false, issues: told([tree.sentence]) }
  const read = themeSchema.safeParse(tree.value, readOnce)
  if (!read.success) return { ok: false, issues: told(read.error.issues.flatMap(describe)) }
  if ([autoTheme, ...builtInNames].includes(read.data.name)) {
    return { ok: false, issues: told([`name is taken: "${read.data.name}" comes with the desk. Choose another name`]) }
  }
  return { ok: true, value: completed(read.data) }
}

function parseJson(text: string): { value: unknown } | { sentence: string } {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''))
    return { value }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return { sentence: `is not JSON: ${error.message.slice(0, 120)}` }
  }
}

/** The written tones on top of the base theme's. */
function completed({ name, base, background, tones: written }: WrittenTheme): ThemeFile {
  const below = builtInThemes.find((each) => each.name === base) ?? usualTheme
  const given = Object.fromEntries(
    tones.flatMap((tone) => (written[tone] === undefined ? [] : [[tone, written[tone]]])),
  )
  return { name, background: background ?? below.background, tones: { ...below.tones, ...given } }
}

function describe(issue: z.core.$ZodIssue): string[] {
  const path = issue.path.map(String)
  if (issue.code !== 'unrecognized_keys') return [`${path.join('.') || 'the whole'} must be ${expectation(path)}`]
  const allowed = path.length === 0 ? topNames : path.length === 1 ? tones : styleNames
  const place = path.length === 0 ? 'a theme' : path.join('.')
  return issue.keys.map(
    (key) => `${place} has no "${key.slice(0, 60)}"${suggestion(key, allowed)} (allowed: ${allowed.join(', ')})`,
  )
}

const colorWords = 'a color such as "#5fd78f"'
const ansiWords = `one of ${ansiColors.join(', ')}`
const flagWords = 'true or false'
const topWords: Readonly<Record<string, string>> = {
  $schema: 'the address of the schema, in quotes',
  name: 'a name of up to 30 small letters, digits and hyphens that begins with a letter, such as "my-theme"',
  base: `one of ${builtInNames.map((name) => `"${name}"`).join(', ')}`,
  background: colorWords,
  tones: 'an object of tones, such as {"bid": {"fg": "#5fd78f"}}',
}
const styleWords: Readonly<Record<string, string>> = {
  fg: colorWords,
  bg: colorWords,
  ansi: ansiWords,
  ansiBg: ansiWords,
}

/** The expected value at a place of the file. */
function expectation([first, tone, part]: readonly string[]): string {
  if (first === undefined) return 'an object with a name and tones'
  if (tone === undefined) return topWords[first] ?? 'left out'
  if (part === undefined) return 'an object such as {"fg": "#5fd78f", "ansi": "green", "bold": true}'
  return styleWords[part] ?? flagWords
}
