import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { listen, type LocalServer } from '../../examples/world/listen.ts'
import { readBody } from '../../examples/world/read-body.ts'
import { createFetchedResponse } from '../../src/boundaries/http/fetched-response.ts'

/** Sends back what it is sent. */
export const server: LocalServer = await listen(async (request, response) => {
  const body = await readBody(request)
  response.writeHead(200, { 'content-type': String(request.headers['x-type']), date: 'Sat, 21 Nov 2026 00:00:00 GMT' })
  response.end(body)
})

type Use = (response: Response) => unknown

/** What can be done with a response, each given as what shows of it. */
const uses: Readonly<Record<string, Use>> = {
  text: (response) => response.text(),
  json: (response) => response.json(),
  arrayBuffer: async (response) => Buffer.from(await response.arrayBuffer()).toString('latin1'),
  bytes: async (response) => Buffer.from(await response.bytes()).toString('latin1'),
  blob: async (response) => {
    const blob = await response.blob()
    return [blob.type, blob.size, await blob.text()]
  },
  formData: async (response) => [...(await response.formData())],
  clone: async (response) => {
    const copy = response.clone()
    return [copy.url, copy.status, copy.bodyUsed, response.bodyUsed, await copy.text(), [...copy.headers]]
  },
  cloneOfClone: async (response) => {
    const copy = response.clone().clone()
    return [copy.url, await copy.json()]
  },
  stream: async (response) => {
    const pieces: Buffer[] = []
    for await (const piece of response.body ?? []) pieces.push(Buffer.from(piece))
    return [Buffer.concat(pieces).toString('latin1'), response.body?.locked]
  },
  lock: (response) => {
    const reader = response.body?.getReader()
    return [response.bodyUsed, response.body?.locked, reader === undefined]
  },
  cancel: async (response) => {
    await response.body?.cancel()
    return response.bodyUsed
  },
  tee: async (response) => {
    const [one, other] = response.body?.tee() ?? []
    return [await new Response(one).text(), await new Response(other).text()]
  },
  wrap: (response) => new Response(response.body, response).text(),
  once: async (response) => {
    const read = response.text()
    return [response.bodyUsed, await read, response.bodyUsed, response.body?.locked]
  },
  show: (response) => [
    response.constructor === Response,
    response instanceof Response,
    Object.prototype.toString.call(response),
    Object.keys(response),
    response.ok,
    response.statusText,
    response.type,
    response.redirected,
    // The order of headers is not what this is about. A stream that is made when the body has been read is closed a moment later.
    inspect(response)
      .replace(/Headers \{[^}]*\}/, '')
      .replace(/state: '\w+'/, ''),
  ],
}

async function outcomeOf(use: Use, response: Response): Promise<unknown> {
  try {
    return { gives: await use(response) }
  } catch (error) {
    return { throws: error instanceof Error ? `${error.name}: ${error.message}` : error }
  }
}

const names = Object.keys(uses)
/** Two uses, one after the other. */
export const pairs: readonly (readonly [one: string, other: string])[] = names.flatMap((one) => names.map((other) => [one, other] as const))

/** Tests that a response that is given as a whole is to a program what a fetched one is. */
export function testWholeResponses(tried: typeof pairs): void {
  describe.each([
    { body: '{"answer":[1,"two",{"three":"\u00E9\u{1F600}"}]}', type: 'application/json' },
    { body: 'no JSON', type: 'text/plain;charset=utf-8' },
    { body: '\uFEFF{"after":"a byte order mark"}', type: 'application/json' },
    { body: 'a=1&b=two%20words', type: 'application/x-www-form-urlencoded' },
    { body: '', type: 'text/html' },
  ])('a whole response of $type', ({ body, type }) => {
    it.each(tried)('is to a program what a fetched one is: %s, then %s', async (one, other) => {
      const fetched = await fetch(server.url, { method: 'POST', body, headers: { 'x-type': type } })
      const { url, redirected, status, statusText } = fetched
      const whole = createFetchedResponse(body, { status, statusText, headers: [...fetched.headers] }, { url, redirected })
      for (const use of [uses[one], uses[other]]) {
        if (use === undefined) throw new Error(`There is no use ${one}, or none ${other}.`)
        expect(await outcomeOf(use, whole)).toEqual(await outcomeOf(use, fetched))
        expect(whole.bodyUsed).toBe(fetched.bodyUsed)
      }
    })
  })
}
