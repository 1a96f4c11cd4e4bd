import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import zlib from 'node:zlib'
import { fetch as fetchOfUndici } from 'undici'
import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { recordBeside } from '../support/record-beside.ts'

/** So many pieces are a flood: 56 MiB. The sockets of a kernel may keep 36 MiB of it where Linux is set so. */
const most = 900
const pieceLength = 64 * 1024
let written = 0

const server = await listen(async (request, response) => {
  if (request.url === '/flood') return flood(response, response)
  response.setHeader('content-encoding', 'gzip')
  const gzip = zlib.createGzip({ level: 0 })
  gzip.pipe(response)
  return flood(response, gzip)
})
afterAll(() => server.close())

/** Writes as much as the client takes. */
async function flood(response: ServerResponse, into: Writable): Promise<void> {
  written = 0
  response.setHeader('content-type', 'application/octet-stream')
  const piece = Buffer.alloc(pieceLength)
  const gone = once(response, 'close')
  while (!response.destroyed && written < most) {
    written += 1
    if (!into.write(piece)) await Promise.race([once(into, 'drain'), gone])
  }
  into.end()
}

const floods: Readonly<Record<string, (path: string) => Promise<Response>>> = {
  'of Node': (path) => fetch(`${server.url}${path}`),
  'of undici': (path) => fetchOfUndici(`${server.url}${path}`) as unknown as Promise<Response>,
}

for (const [whose, fetchFlood] of Object.entries(floods)) {
  for (const path of ['/flood', '/flood/gzip']) {
    it(`holds the server back while the agent does not read what the fetch ${whose} gets from ${path}`, async () => {
      const { output } = await recordBeside(async () => {
        const reader = (await fetchFlood(path)).body?.getReader()
        let size = (await reader?.read())?.value?.length ?? 0
        let before = -1
        while (before !== written) {
          before = written
          await sleep(500)
        }
        for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read()) size += piece.value.length
        return { isHeldBack: before < most * 0.75, size }
      })
      expect(output).toEqual({ isHeldBack: true, size: most * pieceLength })
    })
  }
}
