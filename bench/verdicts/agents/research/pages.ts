import { PAGE_LIMIT_MS } from './config.ts'

/** Gets a page's text. */
export async function getPage(base: string, name: string): Promise<string> {
  const response = await fetch(`${base}/pages/${name}?form=text`, { signal: AbortSignal.timeout(PAGE_LIMIT_MS) })
  const { text } = (await response.json()) as { text: string }
  return text
}
