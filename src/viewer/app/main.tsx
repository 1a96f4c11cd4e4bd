import { render } from 'preact'
import { decodePageData } from '../page-data.ts'
import { ListPageView } from './list-page.tsx'
import { RunPageView } from './run-page.tsx'
import { restoreTheme } from './theme.ts'

restoreTheme()
await start()

/** Renders the page from its embedded data. The duration is measured with `performance`: `npm run bench -- viewer` reads it. */
async function start(): Promise<void> {
  performance.mark('goldenrun-start')
  const root = document.getElementById('app')
  if (root === null) return
  try {
    const page = decodePageData(await embeddedText())
    render(page.kind === 'list' ? <ListPageView page={page} /> : <RunPageView page={page} />, root)
  } catch (error) {
    render(<p class="alert bad failed">This page cannot be drawn: {error instanceof Error ? error.message : String(error)}</p>, root)
  }
  performance.mark('goldenrun-ready')
  root.dataset['ready'] = 'true'
  watchChanges(root.dataset['changes'])
}

/** Returns the data of the page, decompressed. */
async function embeddedText(): Promise<string> {
  const text = document.getElementById('data')?.textContent ?? ''
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  return await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text()
}

/** Reloads a served page when its subject has changed. */
function watchChanges(address: string | undefined): void {
  if (address === undefined) return
  new EventSource(address).addEventListener('change', () => location.reload())
}
