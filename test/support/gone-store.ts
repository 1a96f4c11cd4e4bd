import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { RecorderStats } from '../../src/record/recorder-types.ts'
import { runNode } from './run-command.ts'
import { createTemporaryDirectory } from './temporary-directory.ts'

const program = fileURLToPath(new URL('../record/stores/gone-store-program.ts', import.meta.url))

/** What came of a program whose store's server went away. */
export interface GoneStore {
  readonly status: number
  /** Undefined if the program exited before it printed them. */
  readonly stats: (RecorderStats & { readonly closeMilliseconds: number }) | undefined
  readonly stderr: string
  /** From the program's start to its end. */
  readonly milliseconds: number
}

/** Runs `gone-store-program.ts`. */
export async function runWithGoneStore(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<GoneStore> {
  await using directory = await createTemporaryDirectory()
  const before = performance.now()
  const { status, stdout, stderr } = await runNode(directory.path, [program, ...args], env)
  const stats = stdout === '' ? undefined : (JSON.parse(stdout) as GoneStore['stats'])
  return { status, stats, stderr, milliseconds: performance.now() - before }
}

/** Expects that each of ten runs is counted once, that the program ended by itself, and that it said what is not stored. */
export function expectCounted({ status, stats, stderr, milliseconds }: GoneStore, failed: number): void {
  expect({ status, recorded: stats?.recorded, failed: stats?.failed, writing: stats?.writing, lost: stats?.lost }).toEqual({
    status: 3,
    recorded: 10 - failed,
    failed,
    writing: 0,
    lost: 0,
  })
  expect(stderr).toContain(`${failed} of its 10 runs are not stored`)
  expect(stats?.closeMilliseconds).toBeLessThan(2000)
  expect(milliseconds).toBeLessThan(12_000)
}
