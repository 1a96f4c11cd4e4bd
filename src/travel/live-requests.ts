import type { NormalUsage } from '../models/dialect.ts'
import { answerIn, dialectNamed } from '../models/dialects.ts'
import { realTimers } from '../node/real-timers.ts'
import type { HttpDelivery, LivePart } from '../replay/answers/http-delivery.ts'
import type { ReplayCall } from '../replay/calls/replay-call.ts'
import type { RouterContext } from '../replay/judge/call-router.ts'
import { bytesOfBody } from '../trace/body.ts'
import { withReceivedDigests } from '../trace/http-head.ts'
import type { CompletionRow, HttpInput, HttpOutput } from '../trace/rows.ts'
import type { AnswerCache, CacheKey } from './answer-cache.ts'
import type { Budget } from './budget.ts'
import { LiveAnswer } from './live-answer.ts'
import type { Outgoing, OutgoingPolicy } from './outgoing.ts'

/** The settings of one fork's live requests. */
export interface LiveFork {
  readonly policy: OutgoingPolicy
  readonly budget: Budget
  readonly cache: AnswerCache | undefined
  /** Identifies the fork in the cache. */
  readonly of: Pick<CacheKey, 'trace' | 'step' | 'seed'>
  /** Whether real time passes. */
  readonly runsClock: boolean
}

/** Sends the live requests of a fork, with the agent's URL, headers and body. */
export class LiveRequests {
  readonly #fork: LiveFork
  /** How often each request was made. */
  readonly #made = new Map<string, number>()

  constructor(fork: LiveFork) {
    this.#fork = fork
  }

  /** Sends a call, or answers it from the cache. Returns why it may not be sent, as a sentence; if that is known only later, refuses the call. */
  send(call: ReplayCall, delivery: HttpDelivery, context: RouterContext): string | undefined {
    const { cache } = this.#fork
    if (delivery.request === undefined) return 'The agent aborted it.'
    const answer = new LiveAnswer(call, delivery, context.redaction)
    const key = this.#keyOf(call)
    if (cache !== undefined) {
      void this.#answer(cache, key, answer, context)
      return undefined
    }
    const outgoing = this.#admit(answer)
    if (typeof outgoing === 'string') return outgoing
    void this.#exchange(outgoing, key, answer, context)
    return undefined
  }

  /** Asks the cache first: an answer from there needs no real values, no API key and no budget. */
  async #answer(cache: AnswerCache, key: CacheKey, answer: LiveAnswer, context: RouterContext): Promise<void> {
    const release = context.busy()
    try {
      const known = await cache.find(key)
      if (known !== undefined) {
        this.#fork.budget.answerFromCache()
        return this.#schedule(known, answer, context)
      }
      const outgoing = this.#admit(answer)
      if (typeof outgoing === 'string') context.refuse(answer.call, outgoing)
      else await this.#exchange(outgoing, key, answer, context)
    } finally {
      release()
    }
  }

  /** Charges the budget and returns the request to send; or returns why it may not be sent. */
  #admit({ call, delivery: { request } }: LiveAnswer): Outgoing | string {
    const { policy, budget } = this.#fork
    if (request === undefined) return 'The agent aborted it.'
    const outgoing = policy.check(request)
    if (typeof outgoing === 'string') return outgoing
    const { usedUp } = budget
    if (usedUp !== undefined) return `The budget of ${usedUp} is used up.`
    const model = modelOf(call)
    if (model !== undefined && budget.lacksPrice(model))
      return `The budget in US dollars needs the price of ${model}: prices: { ${JSON.stringify(model)}: { input: …, output: … } }.`
    budget.send()
    return outgoing
  }

  async #exchange(outgoing: Outgoing, key: CacheKey, answer: LiveAnswer, context: RouterContext): Promise<void> {
    const release = context.busy()
    try {
      if (await exchange(outgoing, answer, context)) await this.#fork.cache?.keep(key, answer.rows)
      this.#count(outgoing, answer)
    } finally {
      release()
    }
  }

  /** Delivers a kept answer with its recorded delays; where real time passes, at once. */
  #schedule(rows: readonly CompletionRow[], answer: LiveAnswer, context: RouterContext): void {
    const output = rows.findLast((row) => row.kind === 'return')?.output
    const parts = rows.flatMap((row) => toPart(row, (output ?? {}) as HttpOutput) ?? [])
    // The agent had stopped reading when the answer was kept.
    if (parts.at(-1)?.kind !== 'end')
      parts.push({ kind: 'fail', error: new Error('The cached answer ends here: delete the cache to send the request again.') })
    for (const [index, part] of parts.entries()) {
      const after = (rows[index] ?? rows.at(-1))?.at ?? 0
      const due = this.#fork.runsClock ? context.now : answer.call.at + after
      context.schedule(due, () => answer.take(part, after))
    }
  }

  #keyOf({ boundary, name, input }: ReplayCall): CacheKey {
    const request = `${boundary} ${name} ${input?.canonical ?? ''}`
    const occurrence = (this.#made.get(request) ?? 0) + 1
    this.#made.set(request, occurrence)
    return { ...this.#fork.of, occurrence, request }
  }

  #count(outgoing: Outgoing, { call, output }: LiveAnswer): void {
    const model = modelOf(call)
    if (model === undefined) return
    const usage = answerIn(call.name, output)?.usage
    this.#fork.budget.use(model, usage ?? guessUsage(outgoing, output))
  }
}

/** Estimates usage for providers that do not report it, as in most streams: four characters are a token. */
function guessUsage({ body }: Outgoing, output: HttpOutput): NormalUsage {
  const received = bytesOfBody(output).length
  return { inputTokens: Math.ceil((body?.length ?? 0) / 4), outputTokens: Math.ceil(received / 4) }
}

/** Returns the model that a call asks for; undefined if it asks for none. */
function modelOf({ name, input }: ReplayCall): string | undefined {
  const { json, url = '' } = (input?.value ?? {}) as Partial<HttpInput>
  return dialectNamed(name)?.request(json, url).model
}

const noBody = { done: true, value: undefined } as const

/**
 * Sends a request, and passes on its answer as it arrives. Returns whether the answer is worth keeping: it is not an error, and it is complete or as
 * much as the agent read.
 */
async function exchange({ method, url, headers, body }: Outgoing, answer: LiveAnswer, context: RouterContext): Promise<boolean> {
  const { call, delivery } = answer
  const controller = new AbortController()
  // On Node 22, aborting may leave a read pending.
  const stopped = Promise.withResolvers<undefined>()
  delivery.onStop = () => {
    controller.abort()
    stopped.resolve(undefined)
  }
  const since = realTimers.now()
  const arrive = (part: LivePart): void => {
    const after = realTimers.now() - since
    context.takeUntil(call.at + after)
    answer.take(part, after)
  }
  const init: RequestInit = {
    method,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
    redirect: 'manual',
    signal: controller.signal,
    ...(body !== undefined && { body: body as BodyInit }),
  }
  let isError = true
  try {
    const response = await Promise.race([context.live(() => fetch(url, init)), stopped.promise])
    if (response === undefined) return false
    isError = !response.ok
    arrive({ kind: 'head', status: response.status, statusText: response.statusText, headers: [...response.headers] })
    const reader = response.body?.getReader()
    for (;;) {
      // Each part comes in its own turn, as in the replay of the fork: the agent may stop at any of them.
      await turn()
      const read = await Promise.race([reader?.read() ?? noBody, stopped.promise])
      if (read === undefined) return !isError
      if (read.done) break
      arrive({ kind: 'data', bytes: read.value })
    }
    arrive({ kind: 'end' })
    return !isError
  } catch (error) {
    if (controller.signal.aborted) return !isError
    arrive({ kind: 'fail', error: error instanceof TypeError ? (error.cause ?? error) : error })
    return false
  }
}

const turn = (): Promise<void> => new Promise((resolve) => void realTimers.setImmediate(resolve))

function toPart(row: CompletionRow, output: HttpOutput): LivePart | undefined {
  if (row.kind === 'head') return withReceivedDigests(row, output)
  if (row.kind === 'chunk') return { kind: 'data', bytes: bytesOfBody(row) }
  return row.kind === 'return' ? { kind: 'end' } : undefined
}
