import { listen, type LocalServer } from '../../../examples/world/listen.ts'
import { readBody } from '../../../examples/world/read-body.ts'
import { tool } from '../../../src/run/tool.ts'
import { createRandom } from '../../support/random.ts'

/** What an agent is told: which it is, and by what its steps are drawn. */
export interface BusyInput {
  readonly number: number
  readonly seed: string
}

/** What tells of a run in all that it says and is told. */
export function markerOf(number: number): string {
  return `<run ${number}>`
}

/** The runs that something tells of. */
export function markersIn(text: string): Set<string> {
  return new Set(text.match(/<run \d+>/g))
}

/** Answers model calls, those for a stream in pieces, each after a delay that the seed draws. What it says carries the marker of what it was asked. */
export function startBusyWorld(seed: string): Promise<LocalServer> {
  const random = createRandom(seed)
  const wait = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, random.whole(0, 3)))
  return listen(async (request, response) => {
    const { messages, stream } = JSON.parse((await readBody(request)).toString()) as { messages: string[]; stream: boolean }
    const said = sayTo(messages)
    await wait()
    if (!stream) {
      response.setHeader('content-type', 'application/json')
      return void response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content: said } }] }))
    }
    response.setHeader('content-type', 'text/event-stream')
    for (const [index, word] of said.split(/(?<=,)/).entries()) {
      response.write(`data: {"choices":[{"index":0,"delta":{"content":${JSON.stringify(word)}}}]}\n\n`)
      if (index % 4 === 3) await wait()
    }
    return void response.end('data: [DONE]\n\n')
  })
}

const look = tool('look', {}, async ({ of }: { of: string }) => ({ found: `what there is of ${of}` }))
const pay = tool('pay', { effect: 'write' }, async ({ by, step }: { by: string; step: number }) => ({ paid: step, by }))

/**
 * Makes so many steps as it is told, in an order that the seed draws: model calls that resend its conversation, streamed ones, both at once, looking,
 * paying, waiting.
 *
 * @throws where an answer is not the one to its own question.
 */
export async function busyAgent({ number, seed }: BusyInput, { url, steps }: { url: string; steps: number }): Promise<string> {
  const random = createRandom(`${seed} ${number}`)
  const marker = markerOf(number)
  const messages = [`${marker} You help customers with their orders.`]
  const ask = async (stream: boolean): Promise<string> => {
    const asked = [...messages]
    const answer = await fetch(`${url}/v1/chat/completions`, { method: 'POST', body: JSON.stringify({ messages: asked, stream }) })
    const text = await answer.text()
    const said = stream ? textOf(text) : ((JSON.parse(text) as Completion).choices[0]?.message.content ?? '')
    if (said !== sayTo(asked)) throw new Error(`${marker} was answered ${said}`)
    return said
  }
  let made = 0
  while (made < steps) {
    const kind = made + 2 > steps ? 'look' : (kinds[random.whole(0, kinds.length - 1)] ?? 'look')
    made += kind === 'wait' ? 0 : kind === 'both' ? 2 : 1
    if (kind === 'wait') await new Promise((resolve) => setTimeout(resolve, random.whole(0, 2)))
    else if (kind === 'look') messages.push((await look({ of: `${marker} order ${made}` })).found)
    else if (kind === 'pay') messages.push(JSON.stringify(await pay({ by: marker, step: made })))
    else if (kind === 'both') messages.push(...(await Promise.all([ask(true), ask(false)])))
    else messages.push(await ask(kind === 'stream'))
  }
  return `${marker} made ${made} steps, and ends with: ${messages.at(-1)}`
}

const kinds = ['json', 'json', 'stream', 'stream', 'both', 'look', 'pay', 'wait'] as const

interface Completion {
  readonly choices: readonly { readonly message: { readonly content: string } }[]
}

/** The only right answer to a conversation. */
function sayTo(messages: readonly string[]): string {
  const [marker = ''] = markersIn(messages[0] ?? '')
  return `${marker} I have read ${messages.length} messages,`.padEnd(120 + messages.length, ' and I see,')
}

function textOf(events: string): string {
  const pieces = events.matchAll(/^data: (\{.*\})$/gm)
  return [...pieces]
    .map(([, json = '']) => (JSON.parse(json) as { choices: { delta: { content: string } }[] }).choices[0]?.delta.content)
    .join('')
}
