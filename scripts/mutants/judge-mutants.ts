import type { Copy } from './copy.ts'
import type { Mutant } from './draw-mutants.ts'

/** The state so far. As JSON, it is what `--resume` continues from. */
export interface State {
  readonly seed: string
  readonly mutants: readonly Mutant[]
  /** The mutants that each test file reaches in its own process, and its duration, for the files that pass with no active mutant. */
  files?: Readonly<Record<string, { readonly reached: readonly number[]; readonly seconds: number }>>
  /** The test file that kills a mutant, by the mutant's number; null if none of the nearest files kills it. */
  readonly near: Record<number, string | null>
  /** The same over all test files, for mutants that no near file kills. */
  readonly all: Record<number, string | null>
}

/** How many test files are tried for each mutant alone, before the remaining mutants are tried together. */
const NEAR = 10

/**
 * Finds the test file that kills each mutant. First each mutant is tried alone in the test files that reach it. Those left are tried all at once in all files,
 * because code also runs in other processes and threads. If no file fails, none of them is killed. Otherwise each half is tried in the failed files.
 *
 * @note Two mutants that are active at the same time can hide each other.
 * @param save Called whenever the state has grown.
 */
export async function judgeMutants(state: State, copies: readonly Copy[], save: () => void): Promise<void> {
  const tests = new Tests(state.files ?? {})
  const free = new FreeCopies(copies)
  const alone = state.mutants.filter(({ number }) => state.near[number] === undefined)
  await Promise.all(
    alone.map(async (mutant) => {
      const { number } = mutant
      state.near[number] = (await free.use((copy) => tests.findKiller(copy, number, tests.near(mutant)))) ?? null
      save()
    }),
  )
  const judgeTogether = async (numbers: readonly number[], files: readonly string[]): Promise<void> => {
    const [first = 0, ...others] = numbers
    if (others.length === 0) {
      state.all[first] = (await free.use((copy) => tests.findKiller(copy, first, files))) ?? null
      return save()
    }
    const failed = await free.use((copy) => tests.findFailing(copy, numbers, files))
    if (failed.length > 0) {
      await Promise.all(halve(numbers).map((half) => judgeTogether(half, failed)))
      return
    }
    for (const number of numbers) state.all[number] = null
    save()
  }
  const left = state.mutants.map(({ number }) => number).filter((number) => state.near[number] === null && state.all[number] === undefined)
  if (left.length > 0) await judgeTogether(left, tests.all)
}

class Tests {
  readonly all: readonly string[]
  readonly #files: NonNullable<State['files']>

  constructor(files: NonNullable<State['files']>) {
    this.#files = files
    this.all = Object.keys(files)
  }

  /** Returns the files that reach a mutant: first those of the same folder, then the short ones. */
  near({ number, file }: Mutant): string[] {
    const reaching = this.all.filter((test) => this.#files[test]?.reached.includes(number))
    const order = (test: string): number => this.#secondsOf(test) - 1000 * sharedFolders(file, test)
    return reaching.toSorted((a, b) => order(a) - order(b)).slice(0, NEAR)
  }

  async findKiller(copy: Copy, number: number, files: readonly string[]): Promise<string | undefined> {
    const { failed } = await this.#run(copy, files, [number], ['--bail=1', '--maxWorkers=1'])
    if (failed.length === 0) return undefined
    const [killer] = await this.#exceptFlaky(copy, failed)
    // After a flaky failure, the remaining files have not run.
    return killer ?? (await this.findKiller(copy, number, without(files, failed)))
  }

  async findFailing(copy: Copy, numbers: readonly number[], files: readonly string[]): Promise<string[]> {
    return await this.#exceptFlaky(copy, (await this.#run(copy, files, numbers)).failed)
  }

  /** Returns the files that pass with no active mutant. */
  async #exceptFlaky(copy: Copy, failed: readonly string[]): Promise<string[]> {
    return without(failed, (await this.#run(copy, failed, [])).failed)
  }

  async #run(
    copy: Copy,
    files: readonly string[],
    active: readonly number[],
    args: readonly string[] = [],
  ): Promise<{ failed: readonly string[] }> {
    if (files.length === 0) return { failed: [] }
    const seconds = files.reduce((sum, file) => sum + this.#secondsOf(file), 0)
    return await copy.test({ files, active, args, timeLimit: 60 + 3 * seconds })
  }

  #secondsOf(file: string): number {
    return this.#files[file]?.seconds ?? 0
  }
}

/** Hands out free copies. Each copy runs the tests of one mutant at a time; the other mutants wait in order. */
class FreeCopies {
  readonly #free: Copy[]
  readonly #waiting: ((copy: Copy) => void)[] = []

  constructor(copies: readonly Copy[]) {
    this.#free = [...copies]
  }

  async use<Result>(work: (copy: Copy) => Promise<Result>): Promise<Result> {
    const copy = this.#free.pop() ?? (await new Promise<Copy>((resolve) => this.#waiting.push(resolve)))
    try {
      return await work(copy)
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free.push(copy)
      else next(copy)
    }
  }
}

function halve(numbers: readonly number[]): number[][] {
  const middle = Math.ceil(numbers.length / 2)
  return [numbers.slice(0, middle), numbers.slice(middle)]
}

function without(files: readonly string[], others: readonly string[]): string[] {
  return files.filter((file) => !others.includes(file))
}

/** Counts shared folders: `src/a/b/c.ts` and `test/a/b/d.test.ts` share two. */
function sharedFolders(file: string, test: string): number {
  const [ofFile, ofTest] = [file, test].map((name) => name.split('/').slice(1, -1))
  const different = ofFile?.findIndex((folder, index) => folder !== ofTest?.[index]) ?? 0
  return different === -1 ? (ofFile?.length ?? 0) : different
}
