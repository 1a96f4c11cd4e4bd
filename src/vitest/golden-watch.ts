import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Vitest } from 'vitest/node'
import { describeStuck } from '../goldens/describe-stuck.ts'
import type { GoldenResult } from '../goldens/results/golden-result.ts'
import { knownOrMade } from '../trace/remember.ts'
import type { BegunGolden } from './begun-golden.ts'

/** Seconds between two looks, in milliseconds. */
const EVERY = 1000

const known = new WeakMap<object, GoldenWatch>()

/** Returns the watch over the goldens of a Vitest. By config, because a restarted Vitest has a new one. */
export function watchOf(vitest: Vitest): GoldenWatch {
  return knownOrMade(known, vitest.config, () => new GoldenWatch(vitest))
}

/**
 * Watches the goldens that workers have begun, from the process that started the workers: each has a file in a folder, which its worker touches once a
 * second and removes at its end. A worker that only computes is ended, so that Vitest goes on. A file that is left belongs to a golden without a verdict.
 */
export class GoldenWatch {
  readonly folder: string
  readonly #silent = new Map<string, { readonly touched: number; readonly seconds: number }>()
  readonly #stuck: GoldenResult[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(vitest: Vitest) {
    this.folder = mkdtempSync(path.join(tmpdir(), 'goldenrun-begun-'))
    vitest.onClose(() => rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 }))
  }

  start(print: (text: string) => void): void {
    this.#timer = setInterval(() => this.#look(print), EVERY).unref()
  }

  /** Returns the goldens that have come to no verdict since the start. */
  end(): GoldenResult[] {
    clearInterval(this.#timer)
    const left = this.#begun().map(({ name, file }): GoldenResult => ({ name, file, status: 'could not run' }))
    for (const entry of readdirSync(this.folder)) rmSync(path.join(this.folder, entry), { force: true })
    return [...this.#stuck.splice(0), ...left]
  }

  #begun(): (BegunGolden & { readonly entry: string })[] {
    return readdirSync(this.folder).flatMap((entry) => {
      try {
        return [{ entry, ...(JSON.parse(readFileSync(path.join(this.folder, entry), 'utf8')) as BegunGolden) }]
      } catch {
        // Its worker removes or replaces it at this moment.
        return []
      }
    })
  }

  /** Only this process's own seconds count, so that a machine that sleeps ends nothing. */
  #look(print: (text: string) => void): void {
    for (const { entry, ...golden } of this.#begun()) {
      const touched = statSync(path.join(this.folder, entry), { throwIfNoEntry: false })?.mtimeMs ?? 0
      const before = this.#silent.get(entry)
      const seconds = before?.touched === touched ? before.seconds + 1 : 0
      this.#silent.set(entry, { touched, seconds })
      if (seconds * EVERY >= golden.limit) this.#stop(entry, golden, print)
    }
  }

  #stop(entry: string, { name, file, pid, limit }: BegunGolden, print: (text: string) => void): void {
    print(describeStuck(file, limit))
    this.#stuck.push({ name, file, status: 'could not run' })
    rmSync(path.join(this.folder, entry), { force: true })
    // A thread cannot be ended from outside of Vitest, so in that pool the whole run ends.
    if (pid === process.pid) process.exit(1)
    process.kill(pid, 'SIGKILL')
  }
}
