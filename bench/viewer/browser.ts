import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, chromium, type Page } from 'playwright-core'

/** Launches Debian's Chromium, or the one that `CHROMIUM` names. It sends no telemetry, and runs as root. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

/** What a page did that it must not do. */
export interface Watched {
  /** The addresses that it requested, except its own. */
  readonly requests: string[]
  /** Errors, violations of its policy, and dialogs. */
  readonly problems: string[]
}

/** Watches a page. Call it before the page is opened. */
export function watch(page: Page): Watched {
  const watched: Watched = { requests: [], problems: [] }
  page.on('request', (request) => {
    if (!request.isNavigationRequest()) watched.requests.push(request.url())
  })
  page.on('pageerror', (error) => void watched.problems.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') watched.problems.push(message.text())
  })
  page.on('dialog', (dialog) => {
    watched.problems.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  return watched
}

/** Waits until a page is drawn. */
export async function untilReady(page: Page): Promise<void> {
  await page.locator('#app[data-ready]').waitFor()
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Returns the axe violations of a page: the rule, and the elements. */
export async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  return await page.evaluate(async () => {
    const { axe: checker } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] }> }
    }
    const { violations } = await checker.run()
    return violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary ?? ''}`)
          .slice(0, 3)
          .join(' | ')}`,
    )
  })
}
