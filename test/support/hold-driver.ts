import { expect } from 'vitest'
import { replay } from '../../src/replay/replay.ts'
import type { Trace } from '../../src/trace/trace.ts'
import type { Gate } from './gate.ts'
import { recordRun } from './record-run.ts'

/** A client of a database, how an agent uses it, and how it is closed. */
export interface DriverCase<Client> {
  /** In front of the server: shut in replays. */
  readonly gate: Gate
  /** Makes a client of a real server. It is made before the recording, and again, before each replay, with the server out of reach. */
  readonly open: () => Client | Promise<Client>
  readonly agent: (client: Client) => unknown
  readonly close: (client: Client) => unknown
}

/** A recorded use of a database. */
export interface HeldDriver {
  readonly trace: Trace
  /** The recording as JSON lines. */
  readonly text: string
  readonly output: unknown
  /** Replays it. @param agent In place of the recorded one. */
  replay(agent?: (client: never) => unknown): ReturnType<typeof replay>
}

/**
 * Records an agent that uses a database, and replays it, each time with a new client that the run itself opens. Expects the same output, nothing that
 * differs, and no contact that was noted.
 */
export async function holdDriver<Client>({ gate, open, agent, close }: DriverCase<Client>, times = 3): Promise<HeldDriver> {
  const client = await open()
  const { trace, text, output } = await recordRun(() => agent(client))
  await close(client)
  expect(text).not.toContain('unrecorded-contact')
  expect(trace.steps).not.toEqual([])
  const again = async (changed: (client: never) => unknown = agent): ReturnType<typeof replay> => {
    gate.shut()
    const run = await replay(trace, async () => {
      const fresh = await open()
      const result: unknown = await changed(fresh as never)
      await close(fresh)
      return result
    })
    gate.open()
    expect(gate.refused).toBe(0)
    return run
  }
  for (let time = 0; time < times; time += 1) {
    const run = await again()
    expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output }])
  }
  return { trace, text, output, replay: again }
}
