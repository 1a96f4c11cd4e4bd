/** Replays a golden (the first argument) with the agent that the second one exports as `agent`, and prints what became of it. */
import { replay } from '../../../src/replay/replay.ts'
import { type FrameworkAgent, lookedUp } from './framework-agent.ts'

const [golden = '', program = ''] = process.argv.slice(2)
const { agent } = (await import(program)) as { agent: FrameworkAgent }
const { divergences, outcome } = await replay(golden, agent, { context: {} })
console.log(JSON.stringify({ divergences: divergences.map(({ cause, step }) => ({ cause, step })), status: outcome.status, lookedUp }))
process.exit(0)
