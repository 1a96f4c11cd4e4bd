import stringify from 'fast-json-stable-stringify'
import { AsyncLocalStorage } from 'node:async_hooks'
import net from 'node:net'
import { inspect } from 'node:util'
import { expect } from 'vitest'
import { createRedactor } from '../../src/redaction/redactor.ts'
import { redactorStandIns } from '../../src/redaction/trace-stand-ins.ts'
import { withoutStandIns } from '../../src/divergence/stand-ins.ts'
import type { Json } from '../../src/trace/json.ts'
import { digest } from '../../src/replay/traces/digest.ts'
import { replay } from '../../src/replay/replay.ts'
import type { ReplayedRun } from '../../src/replay/contract/replayed-run.ts'
import type { ReplayOptions } from '../../src/replay/contract/replay-options.ts'
import { createEncoder } from '../../src/trace/codec/encoder.ts'
import { toGoldenRows } from '../../src/trace/compact.ts'
import { decodeTrace } from '../../src/trace/read.ts'
import { toRecordedError } from '../../src/trace/recorded-error.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { fromRecorded, toRecorded } from '../../src/trace/values.ts'

/** A recording as promotion would keep it: its rows compacted, written down and read again. */
export function toGoldenTrace(trace: Trace): Trace {
  const encoder = createEncoder()
  const lines = toGoldenRows(trace.rows).flatMap((row) => encoder.encode(row))
  return decodeTrace(`${lines.join('\n')}\n`, 'golden.jsonl', digest)
}

/**
 * Replays a recording, and the golden it would make, and expects each to hold to the letter: no divergence, the recorded outcome, the recorded
 * hash, and no socket opened.
 *
 * @returns The replay of the golden.
 */
export async function expectClean<Output>(
  trace: Trace,
  agent: (input: never) => Output,
  options: ReplayOptions = {},
): Promise<ReplayedRun<Awaited<Output>>> {
  const golden = toGoldenTrace(trace)
  expect(golden.hash).toBe(trace.hash)
  await expectCleanReplay(trace, agent, options)
  return await expectCleanReplay(golden, agent, options)
}

/** Replays one trace, and expects it to hold to the letter. */
async function expectCleanReplay<Output>(
  trace: Trace,
  agent: (input: never) => Output,
  options: ReplayOptions = {},
): Promise<ReplayedRun<Awaited<Output>>> {
  const { result: run, opened } = await listSockets(() => replay(trace, agent, options))
  expect(run.divergences.map(({ cause, step, position, name, differences }) => ({ cause, step, position, name, differences }))).toEqual([])
  const { outcome } = run
  // What the agent gives back is what it has, and not what is written of it, where long numbers may be taken for those of cards.
  const { value, standIns } = createRedactor({ standIns: redactorStandIns(trace) })
  // Which value of its own the agent gives back is compared above, by the replay.
  const written = (recorded: unknown): unknown => fromRecorded(JSON.parse(withoutStandIns(stringify(value(recorded)), standIns)) as Json)
  const returned = toRecorded({ status: 'returned', output: trace.end?.output })
  if (trace.end?.error === undefined) expect(written(toRecorded(outcome))).toEqual(written(returned))
  else expect(outcome.status === 'threw' && toRecordedError(outcome.error)).toMatchObject(comparable(trace.end.error))
  expect(run.hash).toBe(trace.hash)
  expect(opened).toEqual([])
  return run
}

function comparable({ name, message }: { readonly name: string; readonly message: string }): object {
  return { name, message }
}

const listed = new AsyncLocalStorage<true>()

/** Lists the sockets that `body` opens, by what they were opened with. Others of the process are those that an earlier test file left. */
async function listSockets<Result>(body: () => Promise<Result>): Promise<{ readonly result: Result; readonly opened: readonly unknown[] }> {
  const { connect } = net.Socket.prototype
  const opened: unknown[] = []
  net.Socket.prototype.connect = function (this: net.Socket, ...args: unknown[]): net.Socket {
    if (listed.getStore() === true) opened.push(inspect(args, { depth: 2 }))
    return Reflect.apply(connect, this, args)
  }
  try {
    return { result: await listed.run(true, body), opened }
  } finally {
    net.Socket.prototype.connect = connect
  }
}
