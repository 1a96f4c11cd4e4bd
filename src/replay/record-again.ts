import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createRecorder, type RecorderOptions } from '../record/recorder.ts'
import { createRuleSet } from '../record/redaction/rule-set.ts'
import { createDirectoryStore } from '../stores/directory-store.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import { decodeTrace } from '../trace/read.ts'
import type { Trace } from '../trace/trace.ts'
import { copyValue } from '../trace/values.ts'
import { digest } from './digest.ts'
import { refuseIncomplete } from './promotion/refusals.ts'
import { toGolden } from './promotion/to-golden.ts'

/** How a golden is recorded anew. */
export interface RecordAgainOptions extends Omit<RecorderOptions, 'store'> {
  /** What the agent is given beside its input. Default: none. */
  readonly context?: unknown
  /** ISO 8601. Default: now. */
  readonly promotedAt?: string
}

/**
 * Runs an agent live, with the input of a golden, and makes a golden of that run, of the same name and expectation.
 *
 * @returns The new golden's text. It is not written.
 * @throws GoldenrunError `GOLDENRUN_RECORD_INCIDENT` for the golden of an incident, `GOLDENRUN_RECORD_FAILED` when the run fails and the recorded one   did not, `GOLDENRUN_PROMOTE_…` when it lacks what a replay needs.
 */
export async function recordAgain(
  { header, end }: Trace,
  agent: (input: never, context: unknown) => unknown,
  { context, promotedAt = new Date().toISOString(), ...options }: RecordAgainOptions = {},
): Promise<string> {
  const { golden } = header
  const name = golden?.name ?? header.id
  if (golden?.expect.replay === 'departs') {
    throw new GoldenrunError(
      'GOLDENRUN_RECORD_INCIDENT',
      `"${name}" is the golden of an incident: a run that goes well would take its place. Delete it, or leave it as it is.`,
    )
  }
  const missing = rulesWithout(header.redaction.rules, options.redact)
  if (missing.length > 0) {
    throw new GoldenrunError(
      'GOLDENRUN_RECORD_REDACTION',
      `"${name}" was redacted by rules that are not given now: ${missing.join(', ')}. Its new recording would keep what they take out. Name them under redact in goldenrun.config.ts.`,
    )
  }
  const directory = await mkdtemp(path.join(tmpdir(), 'goldenrun-record-'))
  const recorder = createRecorder({ ...options, store: directory })
  try {
    const { agent: agentName, agentVersion, tags } = header
    const about = { agent: agentName, ...(agentVersion === undefined ? {} : { agentVersion }), ...(tags === undefined ? {} : { tags }) }
    const settled = await settle(() => recorder.run({ ...about, input: copyValue(header.input) as never, context }, agent))
    if ('error' in settled && end?.error === undefined) throw failed(name, settled.error)
    const recorded = await readOnly(directory)
    refuseIncomplete(recorded, {})
    return toGolden(recorded, { ...golden, name, promotedAt }).text
  } finally {
    await recorder.close()
    await rm(directory, { recursive: true, force: true })
  }
}

function rulesWithout(recorded: readonly string[], redact: RecorderOptions['redact']): string[] {
  const { rules } = createRuleSet(redact).record
  return recorded.filter((rule) => !rules.includes(rule))
}

/** What the agent hands out belongs to its run: the recording ends when that has been read. */
async function settle(run: () => Promise<unknown>): Promise<{ readonly output: unknown } | { readonly error: unknown }> {
  try {
    const output = await run()
    if (output instanceof Response) await output.arrayBuffer()
    else if (isStream(output)) for await (const _ of output) continue
    return { output }
  } catch (error) {
    return { error }
  }
}

function isStream(output: unknown): output is AsyncIterable<unknown> {
  return typeof output === 'object' && output !== null && Symbol.asyncIterator in output
}

async function readOnly(directory: string): Promise<Trace> {
  const store = createDirectoryStore(directory)
  const [id = ''] = await store.list()
  const stored = await store.read(id)
  if (stored === undefined) throw new GoldenrunError('GOLDENRUN_RECORD_FAILED', 'The run was not recorded: see the warnings above.')
  return decodeTrace(stored.text, stored.file, digest)
}

function failed(name: string, error: unknown): GoldenrunError {
  const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return new GoldenrunError('GOLDENRUN_RECORD_FAILED', `The live run of "${name}" failed, so its golden is left as it is: ${words}`, {
    cause: error,
  })
}
