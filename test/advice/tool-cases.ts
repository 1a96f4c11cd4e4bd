import { type Cases, expectGreen } from './follow.ts'

const source = new URL('../../src/index.ts', import.meta.url).href

const agentText = (tools: string, body: string): string => `import { tool } from '${source}'
${tools}
export const agent = async () => { ${body} }
`

/** Agents whose tools change what the agent has in memory. */
const agents: readonly string[] = [
  agentText(
    '',
    "const cart = []; const add = tool('add', { effect: 'read' }, async (item) => { cart.push(item); return cart.length }); await add('lamp'); return { cart }",
  ),
  agentText(
    "const add = tool('add-item', { effect: 'read' }, async (state, item) => { state.items.push(item); return 'ok' })",
    "const state = { items: [] }; await add(state, 'lamp'); return state",
  ),
  agentText(
    "const send = tool('send', { effect: 'write' }, async (letter) => letter)",
    "const order = { n: 0 }; const count = tool('count', { effect: 'read' }, async () => ++order.n); await count(); await send({ text: 'Item ' + order.n }); return order",
  ),
]

export const toolCases: Cases<'run-tools'> = {
  async 'run-tools'(project) {
    for (const text of agents) {
      await project.use(text)
      const agent = await project.load()
      await project.golden(agent)
      await project.use(text)
      const { command } = await project.advisedInTest('run-tools', agent)
      expectGreen(await project.evaluate(command, agent))
      await project.configure((await project.advised('run-tools')).command ?? '')
      await project.holds()
      await project.configure('replay: {}')
    }
  },
}
