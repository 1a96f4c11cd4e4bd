import type { ConfiguredAgent } from '../config/agent-reference.ts'
import type { GoldenrunConfig } from '../config/define-config.ts'
import { recordAgain } from '../replay/goldens/record-again.ts'
import { readConversation } from '../replay/traces/conversation.ts'
import { writeFileAtomically } from '../stores/write-file-atomically.ts'
import { omitUndefined } from '../trace/json.ts'
import type { Trace } from '../trace/trace.ts'
import { recordConversation } from './record-conversation.ts'

/** Runs an agent live with the input of a golden, and replaces the golden with that run; if it is one of a conversation, with all of its runs. */
export async function recordInPlace(
  file: string,
  golden: Trace,
  agent: ConfiguredAgent,
  { env, compareHeaders, ambient, mute, files, redact }: GoldenrunConfig,
  context: unknown,
): Promise<void> {
  const options = { context, ...omitUndefined({ env, compareHeaders, ambient, mute, files, redact }) }
  const conversation = await readConversation(golden, file)
  if (conversation.length > 1) return await recordConversation(conversation, file, agent, options)
  const text = await recordAgain(golden, agent, options)
  await writeFileAtomically(file, text, { force: true })
}
