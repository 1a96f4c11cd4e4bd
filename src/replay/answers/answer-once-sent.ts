import type { AnswerSink, AnsweredExchange, RunTimer } from '../../run/active-run.ts'

/** The work of a run that sends something. */
interface Sending {
  write(cut: () => void): () => void
}

/**
 * Answers an exchange of which only the body tells how it is answered.
 *
 * @param answer Answers it, once the body has been read.
 */
export function answerOnceSent(
  sending: Sending,
  body: Promise<Uint8Array | undefined>,
  sink: AnswerSink,
  answer: (sent: Uint8Array | undefined) => AnsweredExchange,
): AnsweredExchange {
  const release = sending.write(() => sink.cutBody?.())
  const limits: LaterTimer[] = []
  let exchange: AnsweredExchange | undefined
  let isStopped = false
  const arrive = async (): Promise<void> => {
    const sent = await body
    exchange = answer(sent)
    for (const limit of limits) limit.starts(exchange)
    if (isStopped) exchange.stop()
  }
  void arrive()
    .catch((error: unknown) => sink.fail(error))
    .finally(release)
  return {
    stop() {
      isStopped = true
      exchange?.stop()
    },
    limitIdle(owner, delay, fire) {
      const limit = new LaterTimer((of) => of.limitIdle?.(owner, delay, fire))
      if (exchange === undefined) limits.push(limit)
      else limit.starts(exchange)
      return limit
    },
  }
}

/** A limit of an exchange that may not have begun. */
class LaterTimer implements RunTimer {
  readonly #start: (exchange: AnsweredExchange) => RunTimer | undefined
  #timer: RunTimer | undefined
  #isCancelled = false

  constructor(start: (exchange: AnsweredExchange) => RunTimer | undefined) {
    this.#start = start
  }

  get active(): boolean {
    return this.#timer?.active ?? !this.#isCancelled
  }

  starts(exchange: AnsweredExchange): void {
    if (!this.#isCancelled) this.#timer = this.#start(exchange)
  }

  cancel(): void {
    this.#isCancelled = true
    this.#timer?.cancel()
  }

  refresh(): void {
    this.#timer?.refresh()
  }

  reference(keeps: boolean): void {
    this.#timer?.reference(keeps)
  }
}
