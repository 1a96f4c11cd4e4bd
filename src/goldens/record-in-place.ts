import { tmpdir } from 'node:os'
import path from 'node:path'
import type { ConfiguredAgent } from '../config/agent-reference.ts'
import type { GoldenrunConfig } from '../config/define-config.ts'
import { carryOver, type ReturnedAgain } from '../replay/goldens/carry-over.ts'
import { checkRecordable, recordAgain, type RecordAgainOptions } from '../replay/goldens/record-again.ts'
import { replay } from '../replay/replay.ts'
import { type ConversationGolden, readConversation } from '../replay/traces/conversation.ts'
import { digest } from '../replay/traces/digest.ts'
import { readTrace } from '../replay/traces/read-trace.ts'
import { readTraceText } from '../replay/traces/read-trace-text.ts'
import { writeFileAtomically } from '../stores/write-file-atomically.ts'
import { omitUndefined } from '../trace/json.ts'
import type { Trace } from '../trace/trace.ts'
import { recordingSince } from './golden-mode.ts'
import { withLock } from './with-lock.ts'

/** Runs an agent live with the input of a golden and replaces the golden with the new run. For a golden of a conversation, does so for all of its runs. */
export async function recordInPlace(
  file: string,
  golden: Trace,
  agent: ConfiguredAgent,
  { env, compareHeaders, effects, ambient, mute, record, files, redact }: GoldenrunConfig,
  context: unknown,
): Promise<void> {
  const options = { context, ...omitUndefined({ env, compareHeaders, effects, ambient, mute, record, files, redact }) }
  const conversation = await readConversation(golden, file)
  if (conversation.length > 1) return await recordConversation(conversation, file, agent, options)
  const text = await recordAgain(golden, agent, options)
  await writeFileAtomically(file, text, { force: true })
}

/**
 * Records all runs of a conversation again, in order and in this process, and replaces their goldens together. Their tests may run
 * in several processes: the first process records, and the others find the goldens recorded.
 *
 * @param own The requested golden.
 */
async function recordConversation(
  goldens: readonly ConversationGolden[],
  own: string,
  agent: ConfiguredAgent,
  options: RecordAgainOptions,
): Promise<void> {
  const lock = path.join(tmpdir(), `goldenrun-recording-${digest(goldens[0]?.file ?? own).slice(0, 16)}`)
  await withLock(lock, async () => {
    const { golden } = (await readTrace(own)).header
    if (Date.parse(golden?.promotedAt ?? '') >= recordingSince()) return
    // Checked before any run is made, so that no conversation is run only in part.
    for (const { trace } of goldens) checkRecordable(trace.header, options.redact)
    const recorded = await recordInOrder(goldens, agent, options)
    for (const { file, text } of recorded) await writeFileAtomically(file, text, { force: true })
  })
}

/** A golden of the conversation, recorded again. */
interface RecordedGolden extends ConversationGolden {
  readonly text: string
  readonly again: Trace
}

async function recordInOrder(
  goldens: readonly ConversationGolden[],
  agent: ConfiguredAgent,
  options: RecordAgainOptions,
): Promise<readonly RecordedGolden[]> {
  const recorded: RecordedGolden[] = []
  for (const golden of goldens) {
    const earlier = earlierOf(golden, recorded)
    // Two runs may follow the same run: the second would find the process as the first one left it.
    if (earlier.at(-1) !== recorded.at(-1))
      for (const { again } of earlier) await replay(again, agent, { context: options.context, after: [] })
    const returned = earlier.map(({ trace, again }): ReturnedAgain => ({ before: trace.end?.output, now: again.end?.output }))
    const text = await recordAgain(golden.trace, agent, { ...options, input: carryOver(golden.trace.header.input, returned) })
    recorded.push({ ...golden, text, again: await readTraceText(text, golden.name) })
  }
  return recorded
}

/** Returns the goldens that a golden follows, starting with the first of the conversation. */
function earlierOf({ trace }: ConversationGolden, recorded: readonly RecordedGolden[]): RecordedGolden[] {
  const before = recorded.find(({ name }) => name === trace.header.golden?.follows)
  return before === undefined ? [] : [...earlierOf(before, recorded), before]
}
