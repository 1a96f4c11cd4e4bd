// Reads a trace in a process of its own, and prints what came of it and the most memory that the process has taken, in megabytes.
import { existsSync, readFileSync } from 'node:fs'
import { readTrace } from '../../src/replay/traces/read-trace.ts'

const [file = ''] = process.argv.slice(2)
const result = await readTrace(file).then(
  ({ steps }) => `${steps.length} steps`,
  (error: unknown) => (error instanceof Error ? error.message : String(error)),
)
// Of this program alone: `maxRSS` begins with what the process had that started it.
const peak = /^VmHWM:\s+(\d+) kB$/m.exec(existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '')?.[1]
const megabytes = Math.round(Number(peak ?? process.resourceUsage().maxRSS) / 1000)
process.stdout.write(JSON.stringify({ result, megabytes }))
