import path from 'node:path'
import type { TestContext } from 'vitest'
import type { GoldenResult } from '../goldens/results/golden-result.ts'

/** Links a failing golden's page from its test: Vitest's terminal output shows the path, and its UI and HTML report open it. */
export async function annotatePage({ context }: TestContext['task'], { page }: Pick<GoldenResult, 'page'>): Promise<void> {
  if (page !== undefined) await context.annotate(`See the run: ${page}`, { contentType: 'text/html', path: path.resolve(page) })
}
