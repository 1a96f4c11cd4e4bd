import { readFile } from 'node:fs/promises'
import { recordArtifact, type TestArtifactBase, type TestAttachment, type TestContext } from 'vitest'
import type { GoldenReport } from '../goldens/results/golden-result.ts'

/** The attachments of a failing golden's test: the report as Markdown and as JSON, and the golden's trace. */
export interface DivergenceArtifact extends TestArtifactBase {
  readonly type: 'goldenrun:divergence'
  /** The golden's file, as shown in messages. */
  readonly golden: string
  /** The problem, in a sentence. */
  readonly message: string
}

declare module 'vitest' {
  interface TestArtifactRegistry {
    goldenrun: DivergenceArtifact
  }
}

/** The largest trace that is inlined in the artifact. A larger one is copied to Vitest's attachments folder. */
const largestInline = 1_000_000

/** Attaches the report on a golden, and its trace, to its test. Reporters and Vitest's UI show them with the failure. */
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
