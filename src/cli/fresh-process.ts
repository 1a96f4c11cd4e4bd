/** Replays one trace with freshly loaded modules, in its own process. Its argument is the file of the request. */
import { readFileSync, writeFileSync } from 'node:fs'
import { deserialize, serialize } from 'node:v8'
import type { WrittenRequest } from '../goldens/fresh/fresh-request.ts'
import type { JudgedTrace } from '../goldens/fresh/judged-trace.ts'
import { readTraceText } from '../replay/traces/read-trace-text.ts'
import { replayTraces } from './replay-traces.ts'

const {
  trace,
  purpose,
  earlier,
  output,
  onDivergence,
  allowModelDrift = [],
  ...options
} = deserialize(readFileSync(process.argv[2] ?? '')) as WrittenRequest
const { name, file, text, origin, directory } = trace
const [result] = await replayTraces([{ name, origin, locate: async () => Promise.resolve({ file, text }) }], {
  ...options,
  isFresh: true,
  // The replay whose lines are looked for has told of the run.
  tells: purpose === 'verdict',
  ...(onDivergence !== undefined && { onDivergence }),
  allowModelDrift,
  ...(earlier !== undefined && { after: await Promise.all(earlier.map(({ file: of, text: read }) => readTraceText(read, of))) }),
  configDirectoryOf: () => directory,
  onTrace: () => undefined,
})
if (result !== undefined) writeFileSync(output, serialize(result satisfies JudgedTrace))
// An agent may keep something open.
process.exit(0)
