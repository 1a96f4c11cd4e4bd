import { costOf, type Price } from '../models/cost.ts'
import type { NormalUsage } from '../models/dialect.ts'

/** What the live calls of forks may use together. A limit that is left out is none. */
export interface BudgetOptions {
  readonly calls?: number
  /** Input and output tokens of models. Where a provider does not say what it used, four characters of the bodies count as a token. */
  readonly tokens?: number
  /** US dollars, by `prices`. */
  readonly usd?: number
  /** What models cost, by the name that is asked for. Needed for `usd`. */
  readonly prices?: Readonly<Record<string, Price>>
}

/** What live calls used. */
export interface Spent {
  /** Requests that were sent. */
  readonly calls: number
  /** Requests that were answered from the cache instead. */
  readonly cached: number
  readonly tokens: number
  /** US dollars, of the models with a price. */
  readonly usd: number
}

/** Counts what live calls use, and says when a limit is reached. A call that is under way may exceed it. */
export class Budget {
  readonly #limits: BudgetOptions
  #spent: Spent = { calls: 0, cached: 0, tokens: 0, usd: 0 }

  constructor(limits: BudgetOptions) {
    this.#limits = limits
  }

  get spent(): Spent {
    return this.#spent
  }

  /** Which limit is reached, in words; undefined if none is. */
  get usedUp(): string | undefined {
    const { calls = Infinity, tokens = Infinity, usd = Infinity } = this.#limits
    if (this.#spent.calls >= calls) return `${calls} calls`
    if (this.#spent.tokens >= tokens) return `${tokens} tokens`
    return this.#spent.usd >= usd ? `${usd} US dollars` : undefined
  }

  /** Whether a limit in US dollars cannot be kept, because nobody knows what this model costs. */
  lacksPrice(model: string): boolean {
    return this.#limits.usd !== undefined && !Object.hasOwn(this.#limits.prices ?? {}, model)
  }

  send(): void {
    this.#spent = { ...this.#spent, calls: this.#spent.calls + 1 }
  }

  answerFromCache(): void {
    this.#spent = { ...this.#spent, cached: this.#spent.cached + 1 }
  }

  /** A model answered. @param model As it was asked for. */
  use(model: string, usage: NormalUsage): void {
    const price = this.#limits.prices?.[model]
    const { tokens, usd } = this.#spent
    this.#spent = {
      ...this.#spent,
      tokens: tokens + usage.inputTokens + usage.outputTokens,
      usd: usd + (price === undefined ? 0 : costOf(usage, price)),
    }
  }
}
