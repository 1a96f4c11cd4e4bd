import type { HandedOut, HandedOutPart } from '../../run/handed-out/handed-out.ts'
import { type HandedOutSignal, handedOutSignals } from '../../run/handed-out/signals.ts'
import type { Trace } from '../../trace/trace.ts'
import { openReading, type Reading, readingMember } from './handed-out-reading.ts'

/** Reads what a replayed agent hands out as in production: the same parts, each piece at the recorded time, and no further. */
export class HandedOutReader {
  readonly #recorded: HandedOut | undefined
  readonly #signals = new Map<string, PromiseWithResolvers<void>>()
  readonly #leaving = new Map<string, HandedOutSignal>()

  constructor({ rows, end }: Trace) {
    this.#recorded = isHandedOut(end?.output) ? end.output : undefined
    for (const row of rows) {
      if (row.kind !== 'signal' || !isOwnSignal(row.name)) continue
      const value = row.value as HandedOutSignal
      this.#signals.set(keyOf(row.name, value), Promise.withResolvers())
      if (row.name === handedOutSignals.leave) this.#leaving.set(value.part, value)
    }
  }

  /** A signal of the recording is due. */
  signal(name: string, value: unknown): void {
    if (isOwnSignal(name)) this.#signals.get(keyOf(name, value as HandedOutSignal))?.resolve()
  }

  async read(value: unknown): Promise<void> {
    const { kind, parts = [], left } = this.#recorded ?? { kind: undefined }
    if (kind === 'object') await Promise.all(parts.map((part) => this.#readPart(part, readingMember(value, part))))
    else await this.#readPart({ name: '', left }, openReading(value))
  }

  async #readPart(
    { name, left }: Pick<HandedOutPart, 'name'> & { readonly left?: true | undefined },
    reading: Reading | undefined,
  ): Promise<void> {
    if (reading === undefined) return
    const leaving = left === true ? this.#leaving.get(name) : undefined
    try {
      for (let count = 1; ; count += 1) {
        if (leaving !== undefined && count > leaving.count) return await this.#leave(reading, leaving)
        await this.#signals.get(keyOf(handedOutSignals.read, { part: name, count }))?.promise
        const piece = reading.next()
        if (leaving?.isWaiting === true && count === leaving.count) {
          piece.catch(() => undefined)
          return await this.#leave(reading, leaving)
        }
        if (await piece) return
      }
    } catch {
      // The watcher of what was handed out has already reported it.
    }
  }

  async #leave(reading: Reading, leaving: HandedOutSignal): Promise<void> {
    await this.#signals.get(keyOf(handedOutSignals.leave, leaving))?.promise
    await reading.leave()
  }
}

function isOwnSignal(name: string): boolean {
  return name === handedOutSignals.read || name === handedOutSignals.leave
}

function keyOf(name: string, { part, count }: HandedOutSignal): string {
  return JSON.stringify([name, part, count])
}

function isHandedOut(output: unknown): output is HandedOut {
  return typeof output === 'object' && output !== null && 'kind' in output && 'yielded' in output && Array.isArray(output.yielded)
}
