import { expect } from 'vitest'
import { toRecordedError } from '../../src/trace/recorded-error.ts'
import type { RecordedError } from '../../src/trace/rows.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { recordRun, settle, type Settled } from './record-run.ts'

/** What an agent came to, with and without a recorder. */
export interface BesideRun<Output> {
  /** What it came to, both times. */
  readonly output: Output
  readonly error: RecordedError | undefined
  readonly trace: Trace
  /** The recording's file. */
  readonly text: string
}

/**
 * Runs an agent without a recorder, then with one, and expects it to come to the same: the same output, or an error of the same name, message,
 * code and causes.
 */
export async function recordBeside<Output>(agent: () => Output): Promise<BesideRun<Awaited<Output>>> {
  const alone = await settle(agent)
  const { output, error, trace, text } = await recordRun(agent, { fails: true })
  const recorded = error === undefined ? { output } : { error }
  expect(describe(recorded)).toEqual(describe(alone))
  return { output, error: error === undefined ? undefined : toRecordedError(error), trace, text }
}

function describe(settled: Settled<unknown>): unknown {
  return 'error' in settled ? { error: describeError(settled.error) } : settled
}

/** An error as an agent may look at it. Addresses and ports of sockets differ from call to call. */
export function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { name, message, code, cause } = error as Error & { readonly code?: unknown }
  return { name, message, code, cause: describeError(cause) }
}
