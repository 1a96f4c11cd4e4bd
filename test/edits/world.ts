import { type Provider, startProvider } from '../../examples/world/provider.ts'
import { createRandom } from '../support/random.ts'
import { askedCalls } from './base-program.ts'

/** All that the agent talks to: a model provider over HTTP, and how long its tools take. */
export interface World extends AsyncDisposable {
  readonly baseUrl: string
  /** How long a call lasts, in milliseconds: the same each time for the same seed. */
  duration(seed: number, label: string, count: number): number
  readonly provider: Provider
}

/** Starts the world. The model asked to look into it fails twice, then streams five tool calls; asked to sum up, it streams a text. */
export async function startWorld(): Promise<World> {
  const provider = await startProvider({
    keepExchanges: false,
    script: ({ messages, retry }) => {
      const [opening = ''] = messages.map(({ text }) => text)
      const random = createRandom(`${/Case (\d+)/.exec(opening)?.[1]} ${opening.length} ${retry}`)
      const delays = { delayMs: random.whole(1, 12), chunkDelayMs: random.whole(0, 3), chunks: random.whole(1, 4) }
      if (!opening.includes('Look into it')) return { ...delays, text: 'All is done.' }
      if (retry === 0) return { ...delays, status: 429, headers: { 'retry-after': '0.02' } }
      if (retry === 1) return { ...delays, status: 500 }
      return { ...delays, toolCalls: askedCalls.map(({ name, args }) => ({ name, args })) }
    },
  })
  return {
    provider,
    baseUrl: provider.openaiBaseUrl,
    duration: (seed, label, count) => {
      const random = createRandom(`${seed} ${label} ${count}`)
      if (label.startsWith('get_quote')) return random.whole(0, 1) === 0 ? random.whole(1, 5) : random.whole(60, 80)
      // The last call: by its end all others have been answered.
      return label.startsWith('archive') ? random.whole(60, 80) : random.whole(1, 25)
    },
    [Symbol.asyncDispose]: () => provider.close(),
  }
}
