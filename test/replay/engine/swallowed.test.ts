import OpenAI from 'openai'
import * as undici from 'undici'
import { expect, it } from 'vitest'
import { listen } from '../../../examples/world/listen.ts'
import { startProvider } from '../../../examples/world/provider.ts'
import { RefusedError } from '../../../src/replay/judge/refused-error.ts'
import { replay } from '../../../src/replay/replay.ts'
import { external } from '../../../src/run/external.ts'
import { tool } from '../../../src/run/tool.ts'
import { httpRequest } from '../../support/http-request.ts'
import { recordRun } from '../../support/record-run.ts'

const look = tool('look', {}, async (order: string) => order)
const extra = tool('extra', {}, async (what: string) => what)
const query = external('query', async (what: string) => what)

const { trace } = await recordRun(async () => {
  await look('ord_1')
  return 'done'
})

/** Agents that do not let on that a call was refused. */
const swallowing: Readonly<Record<string, () => Promise<unknown>>> = {
  'catches it': async () => {
    await look('ord_1')
    await extra('x').catch(() => undefined)
    return 'done'
  },
  'never awaits it': async () => {
    await look('ord_1')
    void extra('x').catch(() => undefined)
    return 'done'
  },
  'never awaits it, and handles no rejection': async () => {
    await look('ord_1')
    void extra('x')
    return 'done'
  },
  'races it': async () => {
    await look('ord_1')
    return await Promise.race([
      extra('x').then(
        () => 'extra',
        () => new Promise(() => undefined),
      ),
      Promise.resolve('done'),
    ])
  },
  'tries again a few times': async () => {
    await look('ord_1')
    for (let time = 0; time < 5; time += 1) await extra('x').catch(() => undefined)
    return 'done'
  },
  'tries again for ever': async () => {
    await look('ord_1')
    for (;;) {
      try {
        return await extra('x')
      } catch {
        // Again.
      }
    }
  },
  'tries again for ever, with a pause': async () => {
    await look('ord_1')
    for (;;) {
      try {
        return await extra('x')
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 1000))
      }
    }
  },
  'waits for ever': async () => {
    await look('ord_1')
    await extra('x').catch(() => new Promise(() => undefined))
  },
  'goes on with another call': async () => {
    await look('ord_1')
    await extra('x')
      .catch(() => query('y'))
      .catch(() => look('ord_1'))
      .catch(() => undefined)
    return 'done'
  },
}

for (const [name, agent] of Object.entries(swallowing)) {
  it(`ends in a verdict where the agent ${name}`, { timeout: 5000 }, async () => {
    const run = await replay(trace, agent)
    expect(run.outcome).toMatchObject({
      status: 'stopped',
      divergence: { cause: 'unexpected-call', step: 1, position: 'after', name: 'extra' },
    })
    expect(run.divergences[0]).toMatchObject({ cause: 'unexpected-call', name: 'extra' })
  })
}

it('refuses an extra request in every way that it can be made', { timeout: 10_000 }, async () => {
  const url = 'http://127.0.0.1:18080/extra'
  const asking: (() => Promise<unknown>)[] = [
    () => fetch(url),
    () => httpRequest(url),
    () => undici.request(url),
    () => undici.fetch(url),
    () => query('x'),
  ]
  for (const ask of asking) {
    const errors: unknown[] = []
    const run = await replay(trace, async () => {
      await look('ord_1')
      await ask().catch((error: unknown) => errors.push(error))
      return 'done'
    })
    expect(run.outcome).toMatchObject({ status: 'stopped', divergence: { cause: 'unexpected-call', step: 1, position: 'after' } })
    const [error] = errors
    const cause = error instanceof Error ? error.cause : undefined
    expect([error, cause].some((one) => RefusedError.isInstance(one))).toBe(true)
  }
})

it('ends in a verdict where an SDK tries again and again', { timeout: 5000 }, async () => {
  const provider = await startProvider({ script: [{ text: 'Hello.' }] })
  const ask = (content: string): Promise<unknown> =>
    new OpenAI({ apiKey: 'sk-test', baseURL: provider.openaiBaseUrl, maxRetries: 10 }).chat.completions.create({
      model: 'gpt-4.1',
      messages: [{ role: 'user', content }],
    })
  const { trace: asked } = await recordRun(async () => (await ask('Hello?')) !== undefined)
  await provider.close()
  const run = await replay(asked, async () => (await ask('Good day?')) !== undefined)
  expect(run.outcome).toMatchObject({ status: 'stopped', divergence: { cause: 'input', step: 1, parts: ['messages'] } })
})

it('ends in a verdict where the agent waits for what never comes', { timeout: 5000 }, async () => {
  const run = await replay(trace, async () => {
    await look('ord_1')
    await new Promise(() => undefined)
  })
  expect(run.outcome).toMatchObject({ status: 'stopped', divergence: { cause: 'outcome', step: 1, position: 'after' } })
})

it('ends in a verdict where the agent waits for a recorded answer that it no longer asks for', { timeout: 5000 }, async () => {
  const run = await replay(trace, () => new Promise(() => undefined))
  expect(run.outcome.status).toBe('stopped')
  expect(run.divergences.map(({ cause, step }) => [cause, step])).toContainEqual(['missing-call', 1])
})

it('ends in a verdict when an interval never stops', { timeout: 5000 }, async () => {
  const run = await replay(trace, async () => {
    const interval = setInterval(() => undefined, 10)
    await look('ord_1')
    interval.refresh()
    return 'done'
  })
  expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output: 'done' }])
})

it('opens no connection for what it refuses', async () => {
  let connections = 0
  await using server = await listen(async (_request, response) => {
    connections += 1
    response.end()
  })
  const run = await replay(trace, async () => {
    await look('ord_1')
    await Promise.allSettled([fetch(server.url), httpRequest(server.url)])
    return 'done'
  })
  expect([run.outcome.status, connections]).toEqual(['stopped', 0])
})
