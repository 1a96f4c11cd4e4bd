import { startServer } from '../record/start-server.ts'
import { judge, type Judged } from './judge.ts'
import { prepareBuilds } from './prepare-builds.ts'
import type { Reference } from './reference.ts'
import { type Size, takeSamples } from './take-samples.ts'

/** How much a short fence and a long one measure. The length also sets the limits of CPU time. */
export const SIZES: Readonly<Record<Length, Size>> = {
  short: { bytesPairs: 2, timesPairs: 20, seconds: 12, fewestPairs: 10 },
  long: { bytesPairs: 4, timesPairs: 40, seconds: Infinity, fewestPairs: 40 },
}

export type Length = 'short' | 'long'

/** Two built packages, of which one is held against the other. */
export interface Packages {
  readonly reference: string
  readonly here: string
}

/** What is measured, and what is allowed. */
export interface HoldOptions extends Pick<Reference, 'allowed'> {
  readonly workloads: readonly string[]
  readonly length: Length
  /** Default: that of the length. */
  readonly size?: Size
  /** Called with each workload before it is measured. */
  readonly note: (workload: string) => void
}

/** Installs two builds, and returns a function that holds one against the other, as often as it is called. */
export async function openFence(packages: Packages): Promise<AsyncDisposable & { hold(options: HoldOptions): Promise<Judged[]> }> {
  const builds = await prepareBuilds(packages)
  const server = await startServer(new URL('provider-program.ts', import.meta.url))
  return {
    async hold({ workloads, length, size = SIZES[length], allowed, note }) {
      const all: Judged[] = []
      for (const workload of workloads) {
        note(workload)
        const samples = await takeSamples(workload, builds, `http://127.0.0.1:${server.port}`, size)
        all.push(...judge(workload, samples, { allowed }, length))
      }
      return all
    },
    async [Symbol.asyncDispose]() {
      server[Symbol.dispose]()
      await builds[Symbol.asyncDispose]()
    },
  }
}
