import { readFile } from 'node:fs/promises'
import { recordArtifact, type TestArtifactBase, type TestAttachment, type TestContext } from 'vitest'
import type { GoldenReport } from '../goldens/results/golden-result.ts'

/** What stands by the test of a golden that does not hold: the report as Markdown and as JSON, and the golden's trace. */
export interface DivergenceArtifact extends TestArtifactBase {
  readonly type: 'goldenrun:divergence'
  /** The golden's file, as messages call it. */
  readonly golden: string
  /** What does not hold, in a sentence. */
  readonly message: string
}

declare module 'vitest' {
  interface TestArtifactRegistry {
    goldenrun: DivergenceArtifact
  }
}

/** A larger trace is copied to where Vitest keeps attachments, a smaller one is in the artifact itself. */
const largestInline = 1_000_000

/** Attaches the report on a golden, and its trace, to its test: reporters and Vitest's UI show them beside the failure. */
export async function attachReport(
  task: TestContext['task'],
  file: string,
  golden: string,
  { json, markdown }: GoldenReport,
): Promise<void> {
  const trace = await readFile(file)
  const attachments: TestAttachment[] = [
    { contentType: 'text/markdown', body: Buffer.from(markdown) },
    { contentType: 'application/json', body: Buffer.from(JSON.stringify(json, undefined, 2)) },
    { contentType: 'application/jsonl', ...(trace.byteLength > largestInline ? { path: file } : { body: trace }) },
  ]
  await recordArtifact(task, { type: 'goldenrun:divergence', golden, message: json.headline, attachments })
}
