/**
 * Draws the pictures of the docs (`docs/pictures/`) from real runs: Vitest replays the goldens of this repository in a project with a
 * changed prompt. The pictures show what a user sees. Needs Debian's package chromium; with fonts-inter they look as they do in most browsers.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { launchBrowser, untilReady } from '../bench/viewer/browser.ts'
import { createVitestWorkspace, supportProject } from '../test/support/vitest-workspace.ts'
import { drawTerminal } from './terminal-picture.ts'
import { bringRowCheckUpToDate } from './write-row-check.ts'

const folder = 'docs/pictures'

bringRowCheckUpToDate()
mkdirSync(folder, { recursive: true })
await using workspace = await createVitestWorkspace()
const project = await workspace.project(await supportProject())
await project.edit('src/prompt.ts', 'three friendly sentences', 'three formal sentences')
const { output } = await project.vitest(['run', 'cancel-unshipped', 'refund-twice'])
writeFileSync(path.join(folder, 'red-report.svg'), drawTerminal('npx vitest run', reportIn(output)))
await project.goldenrun(['view', 'refund-twice', '--out', 'incident.html'])

const browser = await launchBrowser()
try {
  const red = path.join(project.path, '.goldenrun/pages/cancel-unshipped.red.html')
  const incident = path.join(project.path, 'incident.html')
  for (const scheme of ['light', 'dark'] as const) {
    await shoot(browser, red, '', scheme, `red-replay-${scheme}.png`)
    await shoot(browser, incident, '#step=7', scheme, `incident-${scheme}.png`)
  }
} finally {
  await browser.close()
}

/** Returns the report of the first golden that does not hold, as Vitest prints it. */
function reportIn(text: string): string[] {
  const lines = text.split('\n')
  const start = lines.findIndex((line) => line.startsWith(' FAIL ') && line.includes('cancel-unshipped'))
  const end = lines.findIndex((line, index) => index > start && line.includes('See the run:'))
  if (start === -1 || end === -1) throw new Error(`Vitest did not report the golden:\n${text}`)
  return lines.slice(start, end + 1)
}

async function shoot(opened: Browser, file: string, hash: string, colorScheme: 'light' | 'dark', name: string): Promise<void> {
  const context = await opened.newContext({ viewport: { width: 1120, height: 660 }, colorScheme, bypassCSP: true })
  const page = await context.newPage()
  await page.goto(`${pathToFileURL(file).href}${hash}`)
  await untilReady(page)
  // Chromium without a desktop has no system font.
  await page.addStyleTag({ content: ":root { font-family: Inter, 'Liberation Sans', sans-serif }" })
  await page.evaluate(async () => void (await document.fonts.ready))
  await page.screenshot({ path: path.join(folder, name), animations: 'disabled' })
  await context.close()
}
