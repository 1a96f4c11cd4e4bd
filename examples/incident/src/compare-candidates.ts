import { compareRuns, fork, listTraces, readTrace } from 'goldenrun/replay'
import config from '../goldenrun.config.ts'
import { askFirst, neverRetry, waitLonger } from './candidates.ts'

const store = '.goldenrun/runs'
const [incident] = await listTraces({ store, flagged: true, tags: { user: 'jane' } })
const trace = await readTrace(incident?.id ?? '', { store })

const options = { answers: config.sandbox ?? {} }
const { runs } = await compareRuns(
  await fork(trace, waitLonger, options),
  await fork(trace, neverRetry, options),
  await fork(trace, askFirst, options),
)
for (const { sideEffects, toolCalls, trace: forked } of runs) {
  console.log(`side effects: ${sideEffects.length}, tool calls: ${toolCalls}, ${JSON.stringify(forked.end?.output)}`)
}
