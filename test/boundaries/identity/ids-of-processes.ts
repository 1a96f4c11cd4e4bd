import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { runNode } from '../../support/run-command.ts'
import { createTemporaryDirectory } from '../../support/temporary-directory.ts'

/** The ids that a program makes, by the way in which it makes them. */
export type Ids = Readonly<Record<string, readonly string[]>>

const program = fileURLToPath(new URL('programs/ids.ts', import.meta.url))
export const register: string = new URL('../../../src/register.ts', import.meta.url).href

/** Records in one process and replays in another, each with these options of Node's. */
export async function recordAndReplay(...options: readonly string[]): Promise<{ recorded: Ids; cold: Ids; warm: Ids }> {
  await using directory = await createTemporaryDirectory()
  const store = directory.resolve('runs')
  const run = async (mode: string): Promise<unknown> => {
    const { stdout, stderr } = await runNode(directory.path, [...options, program, mode, store])
    expect(stderr).toBe('')
    return JSON.parse(stdout)
  }
  const recorded = (await run('record')) as Ids
  const [cold, warm] = (await run('replay')) as [Ids, Ids]
  return { recorded, cold, warm }
}
