import { createInspectedProject, type InspectedProject } from '../../test/travel/inspect/inspected-project.ts'

/** An agent with this many steps, half of them tools, whose list of messages grows with each step. */
const agent = `
import { external, tool } from 'goldenrun'

const look = tool('look', { effect: 'read' }, async ({ at }: { at: number }) => ({ at, found: 'order ' + at, notes: ['one', 'two'] }))
const think = external('think', async (messages: number) => ({ text: 'The answer to ' + messages + ' messages. '.repeat(20) }))

interface Message { role: string; content: string; step: number }

export async function looper({ steps }: { steps: number }): Promise<number> {
  const messages: Message[] = []
  let total = 0
  for (let step = 1; step < steps; step += 2) {
    const thought = await think(messages.length)
    messages.push({ role: 'assistant', content: thought.text, step })
    const order = await look({ at: step })
    messages.push({ role: 'tool', content: JSON.stringify(order), step })
    total += order.at
  }
  return total
}
`

/** Writes the peak memory of a goldenrun process into a folder when it exits. */
const tellMemory = `
import { writeFileSync } from 'node:fs'
process.on('exit', () => writeFileSync(process.env.BENCH_MEMORY + '/' + process.pid, String(process.resourceUsage().maxRSS)))
`

/** Creates a project with a recorded run of the given number of steps. */
export async function createLooperProject(steps: number): Promise<InspectedProject> {
  const project = await createInspectedProject({ looper: './agent.ts#looper' }, { 'agent.ts': agent, 'tell-memory.mjs': tellMemory })
  await project.record('looper', { steps })
  return project
}
