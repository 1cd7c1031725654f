/**
 * `full`: the file may not grow any more, unless the gate is `open`; its second number counts who asks for room. A
 * gate: each commit waits while it is `shut`, and makes it `waiting` then. A fault: what no disk says.
 */
export type Disk =
  | { kind: 'full'; gate: Int32Array }
  | { kind: 'gated'; gate: Int32Array }
  | { kind: 'faulty'; gate: Int32Array }
export const gateOf = { open: 0, shut: 1, waiting: 2 }
