/** The files of the demo's project that are not the agent's, by their path in it. */
export const PROJECT_FILES: Readonly<Record<string, string>> = {
  'package.json': `{ "name": "support", "private": true, "type": "module" }
`,

  // `sandbox` answers what a fork asks and the recorded run did not.
  'goldenrun.config.ts': `import { defineConfig } from 'goldenrun/config'

const reply = (request) => (JSON.stringify(request).includes('Error: ') ? 'I could not refund ord_1001.' : 'The $49.00 are on their way back.')

export default defineConfig({
  agents: { support: './src/agent.ts#supportAgent' },
  sandbox: {
    find_refund: { id: 're_1', order_id: 'ord_1001', amount: 4900, currency: 'usd', status: 'succeeded' },
    'openai.chat': (request) => ({ text: reply(request) }),
  },
})
`,

  // The plain reporter, whatever machine or coding agent runs the demo.
  'vitest.config.ts': `export default { test: { reporters: ['default'] } }
`,

  'src/answer-ticket.ts': `import { createRecorder } from 'goldenrun'
import { supportAgent } from './agent.ts'

const recorder = createRecorder({ store: '.goldenrun/runs' })
const [ticket = '', user = 'somebody'] = process.argv.slice(2)
const { reply } = await recorder.run({ agent: 'support', input: { ticket }, tags: { user } }, supportAgent)
await recorder.close()
console.log(reply)
`,

  'test/refund-twice.test.ts': `import { expect, test } from 'vitest'
import { replay } from 'goldenrun/vitest'
import { supportAgent } from '../src/agent.ts'

test('refunds a lost order once', async () => {
  expect(await replay('refund-twice', supportAgent)).toReplayWithoutDivergence()
})
`,

  'test/cancel-unshipped.test.ts': `import { expect, test } from 'vitest'
import { replay } from 'goldenrun/vitest'
import { supportAgent } from '../src/agent.ts'

test('cancels an unshipped order', async () => {
  const run = await replay('cancel-unshipped', supportAgent)
  expect(run).toReplayWithoutDivergence()
  expect(run).toHaveCalledTools(['get_order', 'cancel_order'])
})
`,

  'answers.json': `{
  "find_refund": { "id": "re_1", "order_id": "ord_1001", "amount": 4900, "currency": "usd", "status": "succeeded" },
  "openai.chat": { "text": "I am sorry about the lamp. The $49.00 for ord_1001 are on their way back to your card." }
}
`,
}

/** The files of `examples/support-agent` that the project's agent is made of, and what they are called in its `src`. */
export const AGENT_FILES: Readonly<Record<string, string>> = {
  'agent-openai.ts': 'agent.ts',
  'loop.ts': 'loop.ts',
  'payments-client.ts': 'payments-client.ts',
  'prompt.ts': 'prompt.ts',
  'run-tool.ts': 'run-tool.ts',
  'tool-definitions.ts': 'tool-definitions.ts',
  'tools.ts': 'tools.ts',
  'with-retry.ts': 'with-retry.ts',
}
