import { z } from 'zod'
import { builtInThemes } from './built-in.ts'
import { ansiColours, type Tone, tones } from './tones.ts'

const colour = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/)
  .meta({ id: 'colour', description: 'red, green and blue: #rrggbb' })
const ansi = z.enum(ansiColours).meta({
  id: 'ansiColour',
  description: 'the colour where a terminal has only sixteen',
})
const flag = z.boolean()

const style = z
  .strictObject({
    fg: colour.optional(),
    bg: colour.optional(),
    ansi: ansi.optional(),
    ansiBg: ansi.optional(),
    bold: flag.optional(),
    dim: flag.optional(),
    reverse: flag.optional(),
    underline: flag.optional(),
  })
  .meta({ id: 'style', description: 'how a tone looks' })

const named = <T>(value: T) => Object.fromEntries(tones.map((tone) => [tone, value])) as Record<Tone, T>

/** A theme as a person writes it: what it does not name looks as in the theme it is based on. */
export const themeSchema = z.strictObject({
  $schema: z.string().optional(),
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,29}$/)
    .meta({ description: 'what the setting `theme` calls it' }),
  base: z
    .enum(builtInThemes.map(({ name }) => name))
    .meta({ description: 'the theme that gives the tones that are not named here; dark unless given' })
    .optional(),
  background: colour
    .meta({
      description:
        'what the colors are made for; painted where the terminal is otherwise and words would be hard to read',
    })
    .optional(),
  tones: z.strictObject(named(style.optional())),
})
export type WrittenTheme = z.infer<typeof themeSchema>

/** The JSON schema that is published beside the themes. */
export const themeJsonSchema = () => ({
  ...z.toJSONSchema(themeSchema),
  title: 'A theme of pitdesk',
})
