// Replays mutated traces that its parent names, one a line, each with its agent, and answers with what came of it as a line of JSON.
import { createInterface } from 'node:readline'
import { readTrace, replay } from 'goldenrun/replay'
import * as agents from './agents.mjs'

let uncaught
process.on('uncaughtException', (error) => (uncaught = error))

const named = (error) => (typeof error?.code === 'string' && error.code.startsWith('GOLDENRUN_') ? 'named' : 'raw')

async function resultOf(file) {
  try {
    const trace = await readTrace(file)
    const agent = agents[trace.header.agent] ?? (() => undefined)
    const { divergences } = await replay(trace, agent)
    return { kind: 'verdict', text: divergences.length === 0 ? 'same' : divergences[0].cause }
  } catch (error) {
    return { kind: named(error), text: `${error?.code} ${error?.stack}` }
  }
}

for await (const file of createInterface({ input: process.stdin })) {
  uncaught = undefined
  const result = await resultOf(file)
  await new Promise((resolve) => setImmediate(resolve))
  const crash =
    uncaught === undefined
      ? result
      : { kind: named(uncaught) === 'named' ? 'named' : 'raw', text: `uncaught ${uncaught?.code} ${uncaught?.stack}` }
  process.stdout.write(`${JSON.stringify(crash)}\n`)
}
