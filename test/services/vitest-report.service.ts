import { createReadStream } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, vi } from 'vitest'
import { launchBrowser, untilReady, watch } from '../../bench/viewer/browser.ts'
import { createVitestWorkspace, supportProject } from '../support/vitest-workspace.ts'

// Vitest is started in a project.
vi.setConfig({ testTimeout: 120_000 })

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.html': 'text/html',
  '.svg': 'image/svg+xml',
}

/** Serves a folder, as `vite preview` does. */
async function serve(folder: string): Promise<Server> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const file = path.join(folder, pathname.endsWith('/') ? `${pathname}index.html` : decodeURIComponent(pathname))
    response.setHeader('content-type', types[path.extname(file)] ?? 'application/octet-stream')
    createReadStream(file)
      .on('error', () => response.writeHead(404).end())
      .pipe(response)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return server
}

it("leads from a golden that does not hold, in Vitest's html report, to its page", async () => {
  await using workspace = await createVitestWorkspace()
  const { 'golden-traces/refund-twice.jsonl': _, ...files } = await supportProject()
  const project = await workspace.project(files)
  await project.edit('src/prompt.ts', 'three friendly sentences', 'three formal sentences')
  expect(await project.vitest(['run', '--reporter=html'])).toMatchObject({ status: 1 })
  const server = await serve(path.join(project.path, '.vitest'))
  const browser = await launchBrowser()
  try {
    const report = await browser.newPage()
    await report.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    await report.getByText('cancel-unshipped: An order').first().click()
    expect(await report.getByText('See the run: ').innerText()).toContain('.goldenrun/pages/cancel-unshipped.red.html')
    const downloading = report.waitForEvent('download')
    await report.getByRole('link', { name: 'Download' }).click()
    const file = path.join(project.path, 'downloaded.html')
    await (await downloading).saveAs(file)
    const page = await browser.newPage()
    const watched = watch(page)
    await page.goto(pathToFileURL(file).href)
    await untilReady(page)
    expect(await page.locator('.verdict').innerText()).toContain('Failed to replay "cancel-unshipped": step 1 diverged')
    expect(await page.locator('.verdict ins').allInnerTexts()).toEqual(['formal'])
    expect(await page.locator('.verdict .command code').first().innerText()).toBe('npx vitest run golden-traces/cancel-unshipped.jsonl -u')
    expect(watched).toEqual({ requests: [], problems: [] })
  } finally {
    await browser.close()
    server.close()
  }
})
