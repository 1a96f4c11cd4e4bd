import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readingRequests } from '../../src/trace/requests/reading-requests.ts'
import { readPage } from './pages.ts'

const source = readFileSync(new URL('../../src/trace/requests/reading-requests.ts', import.meta.url), 'utf8')
const [table = ''] = readPage('docs/side-effects.md').text.match(/^\|.*\|$(?:\n^\|.*\|$)*/m) ?? []
const rows = table.split('\n').map((line) => line.slice(2, -2).split(' | '))

const inCode = (texts: readonly string[]): string => texts.map((text) => `\`${text}\``).join(', ')

it('lists the requests that only read as the code knows them, with their services and sources', () => {
  // The comment above a row names both.
  const named = [...source.matchAll(/^ {2}\/\/ (.+?): (https:.+)$/gm)].map(
    ([, service = '', urls = '']) => [service, urls.split(', ')] as const,
  )
  expect(named).toHaveLength(readingRequests.length)
  const expected = readingRequests.map(({ hosts, paths, readsBy }, index) => {
    const [service = '', urls = []] = named[index] ?? []
    const links = urls.map((url) => `[${new URL(url).host}](${url})`).join(', ')
    return [service, inCode(hosts), inCode(paths), readsBy !== undefined, links]
  })
  const [head, , ...listed] = rows
  expect(head).toEqual(['service', 'host', 'path', 'body', 'documented'])
  expect(listed.map(([service, host, path, body, documented]) => [service, host, path, body?.trim() !== '', documented])).toEqual(expected)
})
