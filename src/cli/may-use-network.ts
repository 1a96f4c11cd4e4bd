import type { GoldenrunConfig } from '../config/define-config.ts'
import type { Trace } from '../trace/trace.ts'

/** Whether the config or the code of an agent says that a replay may reach something real: a live host, a context that is made anew, code within `live`. */
export function mayUseNetwork({ agents = {}, live = [] }: GoldenrunConfig, { header, rows }: Trace): boolean {
  const entry = Object.hasOwn(agents, header.agent) ? agents[header.agent] : undefined
  const hasContext = typeof entry === 'object' && entry.context !== undefined
  return hasContext || live.length > 0 || rows.some((row) => row.kind === 'note' && row.what === 'live')
}
