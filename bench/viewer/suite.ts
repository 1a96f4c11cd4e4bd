import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { supportAgent } from '../../examples/support-agent/agent-openai.ts'
import { bringViewerUpToDate, compressedSize } from '../../scripts/build-viewer.ts'
import { pageOfComparisons, pageOfReplay, pageOfRun, toHtml } from '../../src/goldens/pages/to-page.ts'
import { judge } from '../../src/matchers/holds.ts'
import { compareRuns } from '../../src/replay/compare/compare-runs.ts'
import { replay } from '../../src/replay/replay.ts'
import { digest } from '../../src/replay/traces/digest.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { decodeTrace } from '../../src/trace/read.ts'
import type { PageData } from '../../src/viewer/page-data.ts'
import type { Suite } from '../figures.ts'
import { median } from '../rounds.ts'
import { findViolations, launchBrowser, untilReady, watch } from './browser.ts'
import { longRun } from './long-run.ts'

/** How often the long run is opened, and how many keys are pressed in it each time. */
const OPENINGS = 9
const KEYS = 100

/** Measures what a reader of a run waits for, and checks what the page promises. */
export const measureViewer: Suite = async (note, { quick }) => {
  await bringViewerUpToDate()
  const folder = await mkdtemp(path.join(tmpdir(), 'goldenrun-bench-viewer-'))
  const browser = await launchBrowser()
  try {
    const text = longRun(300, 5_000_000)
    note(`Opening a run of 300 steps and ${(text.length / 1e6).toFixed(1)} MB.`)
    const { opened, keys } = await measureLongRun(browser, folder, text, quick)
    note('Looking at a run, a red replay and a comparison, light and dark, wide and narrow.')
    const { violations, requests } = await inspectPages(browser, folder)
    return {
      metrics: {
        open_ms_300_steps_5mb: { value: median(opened), unit: 'ms', goal: 1000, against: 'from the start of the script until it is drawn' },
        key_ms_p95: { value: percentile(keys, 0.95), unit: 'ms', goal: 50, against: 'until the next step is painted' },
        app_gzip_kb: { value: (await compressedSize()) / 1000, unit: 'kB', goal: 60 },
        golden_page_kb: { value: Buffer.byteLength(toHtml(await incident(), 'a golden')) / 1000, unit: 'kB', goal: 200 },
        axe_violations: { value: violations.length, unit: 'findings', goal: 0 },
        requests: { value: requests, unit: 'requests', goal: 0 },
      },
      remarks: violations,
    }
  } finally {
    await browser.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function measureLongRun(
  browser: Browser,
  folder: string,
  text: string,
  quick: boolean,
): Promise<{ opened: number[]; keys: number[] }> {
  const file = await write(folder, pageOfRun({ trace: decodeTrace(text, 'a long run', digest), text }))
  const [opened, keys]: [number[], number[]] = [[], []]
  for (let round = 0; round < (quick ? 1 : OPENINGS); round += 1) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    await page.goto(file)
    await untilReady(page)
    opened.push(await page.evaluate(() => performance.measure('opening', 'goldenrun-start', 'goldenrun-ready').duration))
    keys.push(...(await pressKeys(page, quick ? 10 : KEYS)))
    await page.close()
  }
  return { opened, keys }
}

/** Presses a key repeatedly, and waits each time until its change is painted. Runs inside the page, so that no driver is measured. */
async function pressKeys(page: Page, count: number): Promise<number[]> {
  return await page.evaluate(async (times) => {
    const painted = (): Promise<void> =>
      new Promise((resolve) => {
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel()
          port1.addEventListener('message', () => resolve())
          port1.start()
          port2.postMessage(undefined)
        })
      })
    const took: number[] = []
    for (let press = 0; press < times; press += 1) {
      const started = performance.now()
      dispatchEvent(new KeyboardEvent('keydown', { key: 'j' }))
      await painted()
      took.push(performance.now() - started)
    }
    return took
  }, count)
}

async function inspectPages(browser: Browser, folder: string): Promise<{ violations: string[]; requests: number }> {
  const violations: string[] = []
  let requests = 0
  for (const data of [await incident(), await redReplay(), await comparison()]) {
    const file = await write(folder, data)
    for (const screen of [{}, { colorScheme: 'dark' as const }, { viewport: { width: 360, height: 740 } }]) {
      const page = await browser.newPage(screen)
      const watched = watch(page)
      await page.goto(file)
      await untilReady(page)
      violations.push(...(await findViolations(page)), ...watched.problems)
      requests += watched.requests.length
      await page.close()
    }
  }
  return { violations, requests }
}

async function incident(): Promise<PageData> {
  return pageOfRun({ trace: await readTrace('refund-twice-support-openai') })
}

/** The example agent still books the second refund. */
async function redReplay(): Promise<PageData> {
  const run = await replay('refund-twice-support-openai', supportAgent)
  const verdict = judge(run)
  if (verdict.holds) throw new Error('The golden of the incident holds, so there is no red replay to look at.')
  return pageOfReplay(run, verdict)
}

async function comparison(): Promise<PageData> {
  const [a, b] = [await readTrace('cancel-unshipped-support-openai'), await readTrace('cancel-unshipped-support-anthropic')]
  return pageOfComparisons({ trace: a }, [{ trace: b, comparison: await compareRuns(a, b) }])
}

async function write(folder: string, data: PageData): Promise<string> {
  const file = path.join(folder, 'page.html')
  await writeFile(file, toHtml(data, 'a run'))
  return pathToFileURL(file).href
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
