import { costOf, type Price } from '../models/cost.ts'
import type { NormalUsage } from '../models/dialect.ts'

/** The budget that the live calls of forks share. A limit that is left out does not apply. */
export interface BudgetOptions {
  readonly calls?: number
  /** Input and output tokens of models. If a provider does not report its usage, four characters of the bodies count as a token. */
  readonly tokens?: number
  /** US dollars, by `prices`. */
  readonly usd?: number
  /** Prices of models, by the name that is requested. Needed for `usd`. */
  readonly prices?: Readonly<Record<string, Price>>
}

/** The usage of live calls. */
export interface Spent {
  /** Requests that were sent. */
  readonly calls: number
  /** Requests that were answered from the cache instead. */
  readonly cached: number
  readonly tokens: number
  /** US dollars, for the models with a price. */
  readonly usd: number
}

/** Counts the usage of live calls, and reports when a limit is reached. A call under way may exceed the limit. */
export class Budget {
  readonly #limits: BudgetOptions
  #spent: Spent = { calls: 0, cached: 0, tokens: 0, usd: 0 }

  constructor(limits: BudgetOptions) {
    this.#limits = limits
  }

  get spent(): Spent {
    return this.#spent
  }

  /** Returns the limit that was reached, in words; undefined if none was. */
  get usedUp(): string | undefined {
    const { calls = Infinity, tokens = Infinity, usd = Infinity } = this.#limits
    if (this.#spent.calls >= calls) return `${calls} calls`
    if (this.#spent.tokens >= tokens) return `${tokens} tokens`
    return this.#spent.usd >= usd ? `${usd} US dollars` : undefined
  }

  /** Whether a limit in US dollars cannot be enforced, because this model has no price. */
  lacksPrice(model: string): boolean {
    return this.#limits.usd !== undefined && !Object.hasOwn(this.#limits.prices ?? {}, model)
  }

  send(): void {
    this.#spent = { ...this.#spent, calls: this.#spent.calls + 1 }
  }

  answerFromCache(): void {
    this.#spent = { ...this.#spent, cached: this.#spent.cached + 1 }
  }

  /** Counts the answer of a model. @param model The name that was requested. */
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
