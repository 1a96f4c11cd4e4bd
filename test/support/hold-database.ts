import { existsSync, renameSync } from 'node:fs'
import { expect } from 'vitest'
import { replay } from '../../src/replay/replay.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { recordRun } from './record-run.ts'

/** A database in a file, and how an agent uses it. */
export interface DatabaseCase<Client> {
  readonly file: string
  /** Opens the file. It is done before the recording, and again by each replayed run, with the file out of the way. */
  readonly open: () => Client
  readonly agent: (client: Client) => unknown
  readonly close: (client: Client) => unknown
}

/** A recorded use of a database. */
export interface HeldDatabase<Client = never> {
  readonly trace: Trace
  /** The recording as JSON lines. */
  readonly text: string
  readonly output: unknown
  /** Replays it, with the file out of the way. @param agent In place of the recorded one. */
  replay(agent?: (client: Client) => unknown): ReturnType<typeof replay>
}

/** Records an agent that uses a database, and replays it three times. Expects the same output, nothing that differs, no contact, and no file. */
export async function holdDatabase<Client>({ file, open, agent, close }: DatabaseCase<Client>): Promise<HeldDatabase<Client>> {
  const client = open()
  const { trace, text, output } = await recordRun(() => agent(client))
  await close(client)
  expect(text).not.toContain('unrecorded-contact')
  expect(trace.steps).not.toEqual([])
  const again = async (changed: (client: Client) => unknown = agent): ReturnType<typeof replay> => {
    renameSync(file, `${file}-away`)
    const run = await replay(trace, async () => {
      const fresh = open()
      const result: unknown = await changed(fresh)
      await close(fresh)
      return result
    })
    expect(existsSync(file)).toBe(false)
    renameSync(`${file}-away`, file)
    return run
  }
  for (let time = 0; time < 3; time += 1) {
    const run = await again()
    expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output }])
  }
  return { trace, text, output, replay: again }
}
