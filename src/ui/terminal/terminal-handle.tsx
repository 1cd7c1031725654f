import { useApp } from 'ink'
import { type ReactNode, useEffect } from 'react'

/** Gives the terminal back to the shell; what it resolves to takes it again and draws everything anew. */
export type LeaveTerminal = () => Promise<{ resume(): Promise<void> }>

type Props = { onReady: (leave: LeaveTerminal) => void; children: ReactNode }

/** Hands out what only a part of the drawing can do: to let go of the terminal for a while. */
export function TerminalHandle({ onReady, children }: Props) {
  const { suspendTerminal } = useApp()
  useEffect(() => onReady(suspendTerminal), [onReady, suspendTerminal])
  return children
}
