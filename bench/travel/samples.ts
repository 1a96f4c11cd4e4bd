import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import OpenAI from 'openai'
import { tool } from 'goldenrun'
import { fork, verify } from 'goldenrun/replay'
import { listen } from '../../examples/world/listen.ts'
import { startProvider } from '../../examples/world/provider.ts'
import type { Metrics } from '../figures.ts'
import { recordGolden } from '../replay/record-golden.ts'

/** Makes many forks of one moment. Checks that nothing of one reaches another or the world, and that no model is asked twice. */
export async function measureSamples(note: (line: string) => void, samples: number): Promise<Metrics> {
  let asked = 0
  await using provider = await startProvider({
    script({ messages }) {
      asked += 1
      const { text = '' } = messages.at(-1) ?? {}
      return { text: `answer to ${text}`, delayMs: (asked % 5) * 3 }
    },
  })
  let reached = 0
  await using bank = await listen(async (_request, response) => {
    reached += 1
    response.end('{}')
  })
  const refund = tool('refund', { effect: 'write' }, async (id: string) => (await fetch(bank.url, { method: 'POST', body: id })).json())
  const client = new OpenAI({ apiKey: 'sk-local', baseURL: provider.openaiBaseUrl, maxRetries: 0 })
  // Each run sends its own id, and has to get the answer to that id.
  const agentWith = (system: string) => async (): Promise<string> => {
    let mixed = 0
    for (let turn = 0; turn < 4; turn += 1) {
      const content = `${turn} ${randomUUID()}`
      const messages = [
        { role: 'system' as const, content: system },
        { role: 'user' as const, content },
      ]
      const { choices } = await client.chat.completions.create({ model: 'gpt-4o', messages })
      if (choices[0]?.message.content !== `answer to ${content}`) mixed += 1
      await refund(`order-${turn}`)
    }
    return mixed === 0 ? 'clean' : `mixed up ${mixed} times`
  }
  const { trace } = await recordGolden({ input: {} }, agentWith('one'))
  note(`Taking ${samples} samples, 16 at once.`)
  const [reachedBefore, concurrency] = [reached, 16]
  const { runs } = await fork(trace, agentWith('one'), { at: { turn: 2 }, then: 'live', clock: 'virtual', samples, concurrency })
  const leaks = reached - reachedBefore + runs.filter(({ outcome }) => outcome.status !== 'returned' || outcome.output !== 'clean').length
  if (runs.length !== samples) throw new Error(`${runs.length} samples were made, of ${samples}.`)
  const folder = await mkdtemp(path.join(tmpdir(), 'goldenrun-bench-'))
  try {
    const options = { cache: folder, clock: 'virtual', samples: 20 } as const
    const first = await verify(trace, agentWith('two'), options)
    const before = asked
    const second = await verify(trace, agentWith('two'), options)
    if (first.verdict !== 'held' || second.verdict !== 'held')
      throw new Error(`The measured verification is ${first.verdict}, then ${second.verdict}.`)
    return {
      verify_cached_calls: { value: asked - before, unit: 'calls', goal: 0, against: `${first.spent.calls} the first time` },
      samples_concurrent_16_leaks: {
        value: leaks,
        unit: 'leaks',
        goal: 0,
        against: `${samples} samples: writes in the world, and answers of other samples`,
      },
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
