/** What one measurement of a workload tells, for one unit of its work: a step, a call, an import, a test file. */
export type Sample = Readonly<Partial<Record<Figure, number>>>

/** What is measured. `writersBytes` is absent where there is no writing thread. */
export type Figure = 'agentsBytes' | 'writersBytes' | 'agentsCpu' | 'processCpu' | 'wall'

/** The figures in the order of the table, with their units. */
export const FIGURES: Readonly<Record<Figure, string>> = {
  agentsBytes: "bytes allocated, agents' thread",
  writersBytes: 'bytes allocated, writing thread',
  agentsCpu: "CPU time in µs, agents' thread",
  processCpu: 'CPU time in µs, process',
  wall: 'time in µs',
}

/** Bytes need a young generation that is never collected, and times need an ordinary one. So a process measures one or the other. */
export type Kind = 'bytes' | 'times'

/** The figures of each kind. */
export const FIGURES_OF: Readonly<Record<Kind, readonly Figure[]>> = {
  bytes: ['agentsBytes', 'writersBytes'],
  times: ['agentsCpu', 'processCpu', 'wall'],
}
