import { type Actions, type Binding, inScope } from './binding.ts'

/** What the keys do to the picture: every action as what it asks of the desk. */
export const viewActions = {
  zoom: ({ commands }) => commands.toggleZoom(),
  nextLayout: ({ commands }) => commands.nextLayout(),
  freeze: ({ commands }) => commands.toggleFreeze(),
} satisfies Actions
export type ViewAction = keyof typeof viewActions

const desk = inScope<ViewAction>('desk')

export const viewKeys: readonly Binding<ViewAction>[] = [
  desk(['z'], 'zoom', 'one pane alone, all', { foot: 'zoom', footLast: true }),
  desk(['v'], 'nextLayout', 'next layout', { foot: 'layout', footLast: true }),
  desk(['p'], 'freeze', 'freeze the picture', { foot: 'freeze', footLast: true }),
]
