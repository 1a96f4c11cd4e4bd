import OpenAI from 'openai'
import { afterAll, afterEach, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { verify } from '../../src/replay.ts'
import { recordRun } from './record-run.ts'

/** A provider that answers wrongly, if told to, in ways that are no error of HTTP. */
type Way = 'well' | 'slowly' | 'error in JSON' | 'a page' | 'error in stream' | 'no end'

let way: Way = 'well'

const says = 'Hello, jane.doe@customer.com'

export let asked = 0

const provider = await listen(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  asked += 1
  const { stream = false } = JSON.parse(body) as { stream?: boolean }
  const message = { role: 'assistant', content: says }
  const event = (delta: object, finish: string | null = null): string =>
    `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
  if (way === 'slowly') await new Promise((resolve) => setTimeout(resolve, 2_000))
  if (way === 'a page') return void response.setHeader('content-type', 'text/html').end('<h1>Bad gateway</h1>')
  if (way === 'error in JSON')
    return void response.setHeader('content-type', 'application/json').end('{"error":{"message":"overloaded","type":"server_error"}}')
  if (!stream) {
    const whole = { id: 'x', object: 'chat.completion', choices: [{ index: 0, finish_reason: 'stop', message }] }
    return void response.setHeader('content-type', 'application/json').end(JSON.stringify(whole))
  }
  response.setHeader('content-type', 'text/event-stream')
  if (way === 'error in stream') return void response.end('data: {"error":{"message":"overloaded"}}\n\n')
  response.write(event({ role: 'assistant', content: says }))
  response.end(way === 'no end' ? '' : `${event({}, 'stop')}data: [DONE]\n\n`)
})

const openai = new OpenAI({ apiKey: 'sk-test', baseURL: `${provider.url}/v1`, maxRetries: 0 })

export async function ask(system: string, said: string, options: { stream?: boolean; timeout?: number } = {}): Promise<string> {
  const messages = [
    { role: 'system' as const, content: system },
    { role: 'user' as const, content: said },
  ]
  const { stream = false, timeout = 5_000 } = options
  if (!stream) {
    const { choices } = await openai.chat.completions.create({ model: 'gpt-4.1', messages }, { timeout })
    return choices[0]?.message.content ?? ''
  }
  let text = ''
  for await (const { choices } of await openai.chat.completions.create({ model: 'gpt-4.1', messages, stream: true }))
    text += choices[0]?.delta.content ?? ''
  return text
}

export const swallowedAnswersCases = [
  ['slowly', { timeout: 500 }],
  ['error in JSON', {}],
  ['a page', {}],
  ['error in stream', { stream: true }],
  ['no end', { stream: true }],
] as const

export function testSwallowedAnswers(cases: readonly (typeof swallowedAnswersCases)[number][]): void {
  it.each(cases)('is undecided about an agent that swallows a provider that answers %s', async (how, options) => {
    const agentWith = (system: string) => async (): Promise<string> => {
      try {
        return (await ask(system, 'one', options)) === '' ? 'Sorry.' : 'Done.'
      } catch {
        return 'Sorry.'
      }
    }
    const { trace } = await recordRun(agentWith('old'))
    way = how
    // Real time, because the agent's own limit has to fire.
    const down = await verify(trace, agentWith('new'), { cache: false, samples: 3 })
    expect(down).toMatchObject({ verdict: 'undecided', passed: 0, failed: 0, undecided: 3 })
    expect(down.causes[0]?.cause).toMatch(/^The provider of openai\.chat failed: /)
    way = 'well'
    expect(await verify(trace, agentWith('new'), { cache: false })).toMatchObject({ verdict: 'held', undecided: 0 })
  })
}

/** Starts what the tests share, and ends it after them. */
export function setUpAttackedForks(): void {
  afterAll(() => provider.close())
  afterEach(() => {
    way = 'well'
  })
}
