import type { NormalUsage } from './dialect.ts'

/** What a provider charges for a model, in US dollars a million tokens. */
export interface Price {
  readonly input: number
  readonly output: number
  /** Input that was read from the provider's cache. Default: as `input`. */
  readonly cacheRead?: number
  /** Input that was written to the provider's cache. Default: as `input`. */
  readonly cacheWrite?: number
}

/** What a model call cost, in US dollars. Tokens of the cache are among those of the input (see `NormalUsage`). */
export function costOf({ inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 }: NormalUsage, price: Price): number {
  const { input, output, cacheRead = input, cacheWrite = input } = price
  const plain = inputTokens - cacheReadTokens - cacheWriteTokens
  return (plain * input + cacheReadTokens * cacheRead + cacheWriteTokens * cacheWrite + outputTokens * output) / 1_000_000
}
