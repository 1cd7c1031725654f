import { useApp } from 'ink'
import { type ReactNode, useEffect } from 'react'

/** Gives the terminal back to the shell; what it resolves to takes it again and draws everything anew. */
type LetGo = () => Promise<{ resume(): Promise<void> }>

export type Suspension = {
  /** Told how the terminal is let go of for as long as something is drawn, and null when nothing is any more. */
  onReady(letGo: LetGo | null): void
  /**
   * Gives the terminal back for as long as `away` takes. Nothing happens while it is away already, or once nothing is
   * drawn.
   */
  leave(away: () => Promise<void>): Promise<void>
}

type Ends = {
  /** Takes what the terminal still answers, before it is let go of. */
  settle(): void
  /** Resolves when the terminal has taken what was written to it, or takes nothing. */
  flushed(): Promise<void>
}

export function createSuspension({ settle, flushed }: Ends): Suspension {
  let hand: LetGo | null = null
  let isAway = false
  return {
    onReady(letGo) {
      hand = letGo
    },
    async leave(away) {
      if (hand === null || isAway) return
      isAway = true
      settle()
      const held = await hand()
      await flushed()
      await away()
      await held.resume()
      isAway = false
    },
  }
}

type Props = Pick<Suspension, 'onReady'> & { children: ReactNode }

/** Hands out what only a part of the drawing can do: to let go of the terminal for a while. */
export function TerminalHandle({ onReady, children }: Props) {
  const { suspendTerminal } = useApp()
  useEffect(() => {
    onReady(suspendTerminal)
    return () => onReady(null)
  }, [onReady, suspendTerminal])
  return children
}
