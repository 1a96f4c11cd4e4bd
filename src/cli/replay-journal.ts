import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { realTimers } from '../node/real-timers.ts'
import { BEAT, JOURNAL, NEEDS_NETWORK, RESTART } from './journal-names.ts'
import type { TraceResult } from './trace-result.ts'
import { network } from '../node/own-network.ts'
import { ISOLATED } from './without-network.ts'

/**
 * What a process that replays traces tells the one that started it, in files, since it may end at any moment: which trace it replays, what came of
 * those before, that it can still do something, and that the command came to its end.
 */
export class ReplayJournal {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Says that the process is alive, as long as it can say so. */
  beat(): void {
    writeFileSync(this.#file('alive'), String(process.hrtime.bigint()))
    realTimers.setTimeout(() => this.beat(), BEAT).unref()
  }

  /** The result of a trace, by its position, if a process before this one had it, or ended in the middle of it. */
  resultOf(index: number): TraceResult | undefined {
    const file = this.#file(`${index}.result`)
    return existsSync(file) ? (deserialize(readFileSync(file)) as TraceResult) : undefined
  }

  /** The trace at this position is replayed from now on. */
  begin(index: number, name: string): void {
    writeFileSync(this.#file('current'), JSON.stringify([index, name]))
  }

  /** The trace that was begun was replayed. */
  end(): void {
    rmSync(this.#file('current'), { force: true })
  }

  keep(index: number, result: TraceResult): void {
    writeFileSync(this.#file(`${index}.result`), serialize(result))
  }

  /** Ends this process, so that the command begins anew in one that has a network. What it has replayed counts. */
  restartWithNetwork(): never {
    writeFileSync(this.#file(NEEDS_NETWORK), '')
    process.exit(RESTART)
  }

  /** The command has come to its end, with this exit status. */
  finish(status: number): void {
    writeFileSync(this.#file('finished'), String(status))
  }

  #file(name: string): string {
    return path.join(this.#folder, name)
  }
}

/** The journal of this process; undefined if no other process waits for it. The agents that it loads do not see the variable. */
export const ownJournal: ReplayJournal | undefined = takeJournal()

/** Whether this process has no network. The agents that it loads do not see the variable. */
export const isWithoutNetwork: boolean = process.env[ISOLATED] !== undefined
Reflect.deleteProperty(process.env, ISOLATED)
network.isOwn = isWithoutNetwork

/** If this process has no network and needs one, the command begins anew in a process that has one. */
export function needNetwork(isNeeded: boolean): void {
  if (isNeeded && isWithoutNetwork) ownJournal?.restartWithNetwork()
}

function takeJournal(): ReplayJournal | undefined {
  const folder = process.env[JOURNAL]
  Reflect.deleteProperty(process.env, JOURNAL)
  return folder === undefined ? undefined : new ReplayJournal(folder)
}
