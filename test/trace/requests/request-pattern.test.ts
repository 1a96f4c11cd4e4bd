import { expect, it } from 'vitest'
import { toRequestPattern } from '../../../src/trace/requests/request-pattern.ts'

it.each<[pattern: string, request: string, matches: boolean]>([
  ['POST search.example/v1/find', 'POST https://search.example/v1/find', true],
  ['POST search.example/v1/find', 'post http://search.example/v1/find/', true],
  ['POST search.example/v1/find', 'POST https://search.example:8443/v1/find?page=2#top', true],
  ['POST search.example/v1/find', 'PUT https://search.example/v1/find', false],
  ['POST search.example/v1/find', 'POST https://search.example/v1/find/7', false],
  ['POST search.example/v1/find', 'POST https://searchxexample/v1/find', false],
  ['POST search.example/v1/find', 'POST https://shop.example/search.example/v1/find', false],
  ['POST search.example:8443/v1/find', 'POST https://search.example:8443/v1/find', true],
  ['POST search.example:8443/v1/find', 'POST https://search.example/v1/find', false],
  ['POST search.example/v1/*/find', 'POST https://search.example/v1/tickets/find', true],
  ['POST search.example/v1/*/find', 'POST https://search.example/v1/a/b/find', false],
  ['POST search.example/v1/*:find', 'POST https://search.example/v1/tickets:find', true],
  ['POST search.example/**/find', 'POST https://search.example/find', true],
  ['POST search.example/**/find', 'POST https://search.example/a/b/find', true],
  ['POST search.example/v1/**', 'POST https://search.example/v1', true],
  ['POST search.example/v1/**', 'POST https://search.example/v1/a/b', true],
  ['POST search.example/v1/**', 'POST https://search.example/v2', false],
  ['POST *.search.example/find', 'POST https://eu.app.search.example/find', true],
  ['POST *.search.example/find', 'POST https://search.example/find', false],
  ['POST */find', 'POST http://127.0.0.1:4711/find', true],
  ['POST */find', 'POST http://[::1]:4711/find', true],
  ['POST [::1]:4711/find', 'POST http://[::1]:4711/find', true],
  ['POST Search.Example/find', 'POST https://search.example/find', true],
  ['POST search.example/', 'POST https://search.example/', true],
  ['POST search.example/', 'POST https://search.example/find', false],
])('%s against %s', (pattern, request, matches) => {
  const [method = '', url = ''] = request.split(' ')
  expect(toRequestPattern(pattern)?.(method, url)).toBe(matches)
})

it.each([
  '',
  'search.example/find',
  'POST /find',
  'POST search.example',
  'post search.example/find',
  'POST search.example/find?page=2',
  'POST https://search.example/find',
])('is no pattern: %j', (text) => {
  expect(toRequestPattern(text)).toBeUndefined()
})
