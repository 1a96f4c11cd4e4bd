import type { NormalUsage } from './dialect.ts'

/** A provider's prices for a model, in US dollars per million tokens. */
export interface Price {
  readonly input: number
  readonly output: number
  /** Input that was read from the provider's cache. Default: same as `input`. */
  readonly cacheRead?: number
  /** Input that was written to the provider's cache. Default: same as `input`. */
  readonly cacheWrite?: number
}

/** Returns the cost of a model call, in US dollars. Cached tokens are part of the input tokens (see `NormalUsage`). */
export function costOf({ inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 }: NormalUsage, price: Price): number {
  const { input, output, cacheRead = input, cacheWrite = input } = price
  const plain = inputTokens - cacheReadTokens - cacheWriteTokens
  return (plain * input + cacheReadTokens * cacheRead + cacheWriteTokens * cacheWrite + outputTokens * output) / 1_000_000
}
