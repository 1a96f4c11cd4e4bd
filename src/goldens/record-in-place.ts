import type { GoldenrunConfig } from '../config/define-config.ts'
import { recordAgain } from '../replay/goldens/record-again.ts'
import { writeFileAtomically } from '../stores/write-file-atomically.ts'
import { omitUndefined } from '../trace/json.ts'
import type { Trace } from '../trace/trace.ts'

/** Runs an agent live with the input of a golden, and replaces the golden with that run. */
export async function recordInPlace(
  file: string,
  golden: Trace,
  agent: (input: never, context: unknown) => unknown,
  { env, compareHeaders, ambient, mute, redact }: GoldenrunConfig,
  context: unknown,
): Promise<void> {
  const text = await recordAgain(golden, agent, { context, ...omitUndefined({ env, compareHeaders, ambient, mute, redact }) })
  await writeFileAtomically(file, text, { force: true })
}
