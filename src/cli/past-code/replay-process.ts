/** Replays traces with the code in the working directory, in a process of its own. Its argument is the file of the request. */
import { readFileSync, writeFileSync } from 'node:fs'
import picocolors from 'picocolors'
import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'
import { toOutput } from '../replay-output.ts'
import { replayTraces } from '../replay-traces.ts'
import type { SelectedTrace } from '../select-traces.ts'
import type { ReplayRequest, RequestedTrace } from './replay-request.ts'

const request = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as ReplayRequest
const { traces, onDivergence, allowModelDrift, color, width, output } = request
const directories = new Map(traces.flatMap(({ found }) => (found === undefined ? [] : [[found.file, found.directory]])))

const results = await replayTraces(traces.map(toSelected), {
  onDivergence,
  allowModelDrift,
  onTrace: () => undefined,
  configDirectoryOf: (file) => directories.get(file) ?? process.cwd(),
})
// All advice would be followed in the current tree, whose code is another.
const unadvised = results.map((result) => (result.report === undefined ? result : { ...result, report: { ...result.report, advice: [] } }))
writeFileSync(output, JSON.stringify(toOutput(unadvised, { colors: picocolors.createColors(color), width })))
// Does not wait for what an agent keeps open, but for what it has printed.
process.stdout.write('', () => process.stderr.write('', () => process.exit(0)))

function toSelected({ name, found, problem }: RequestedTrace): SelectedTrace {
  return {
    name,
    async locate() {
      if (found === undefined) throw new GoldenrunError(problem?.code ?? '', problem?.message ?? '')
      return Promise.resolve({ file: found.file, text: readFileSync(found.path, 'utf8') })
    },
  }
}
