import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { FIX } from '../../examples/support-agent/fix.ts'
import { CANCEL_UNSHIPPED } from '../../examples/support-agent/scripts.ts'
import { startSupportWorld } from '../../examples/support-agent/start-world.ts'
import { isJsonObject } from '../../examples/world/json.ts'
import { loadAgent, setUpSupportAgent, SUPPORT_AGENT, testSupportAgent } from '../support/support-agent.ts'

setUpSupportAgent()

// The other agent: support-agent.slow.test.ts.
testSupportAgent('agent-openai')

it('has a fix that is one edit of one line', async () => {
  const source = await readFile(join(SUPPORT_AGENT, FIX.file), 'utf8')
  expect(source.split(FIX.from)).toHaveLength(2)
  expect(source).not.toContain(FIX.to)
})

it('streams every answer of the model', async () => {
  await using world = await startSupportWorld()
  for (const name of ['agent-openai', 'agent-anthropic']) {
    const agent = await loadAgent(SUPPORT_AGENT, name, world)
    await agent({ ticket: CANCEL_UNSHIPPED.ticket })
  }
  const streamed = world.provider.exchanges.map(({ body }) => isJsonObject(body) && body['stream'])
  expect(streamed).toEqual([true, true, true, true, true, true])
})
