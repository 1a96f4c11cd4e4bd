import { afterAll, expect, it } from 'vitest'
import { createFetchedResponse } from '../../../src/boundaries/http/fetched-response.ts'
import { pairs, server, testWholeResponses } from '../../support/whole-responses.ts'

afterAll(() => server.close())

// Each use is tried first and second; all pairs: whole-response.slow.test.ts.
testWholeResponses(pairs.filter((_, index) => index % 4 === 0))

it('gives a text what an encoder makes of it', async () => {
  const whole = (): Response => createFetchedResponse('half a \uD83D pair', { status: 200 }, { url: server.url, redirected: false })
  expect(await whole().text()).toBe('half a \uFFFD pair')
  expect(whole().headers.get('content-type')).toBe(null)
})
