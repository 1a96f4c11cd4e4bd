import zlib from 'node:zlib'
import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { replay } from '../../src/replay/replay.ts'
import { recordRun } from '../support/record-run.ts'

const server = await listen(async (_request, response) => void response.end('{}'))
afterAll(() => server.close())

const junk = Buffer.from('junk-junk-junk')
const zeros = zlib.gzipSync(Buffer.alloc(1_000_000))

type Decode = (bytes: Buffer, told: (error: Error | null) => void) => unknown

/** Work of the run that fails. */
const ways: Readonly<Record<string, Decode>> = {
  'gunzip of junk': (_, told) => zlib.gunzip(junk, told),
  'brotli of junk': (_, told) => zlib.brotliDecompress(junk, told),
  'zstd of junk': (_, told) => zlib.zstdDecompress(junk, told),
  'gunzip beyond its limit': (bytes, told) => zlib.gunzip(bytes, { maxOutputLength: 100 }, told),
  'gunzip of a cut body': (bytes, told) => zlib.gunzip(bytes.subarray(0, 50), told),
  'a stream of junk': (_, told) => zlib.createGunzip().on('error', told).end(junk),
  'a DecompressionStream of junk': (_, told) =>
    void new Response(new Blob([junk]).stream().pipeThrough(new DecompressionStream('gzip'))).text().catch(told),
}

it.each(Object.entries(ways))('replays an agent that goes on after %s', async (_name, decode) => {
  const agent = async (): Promise<string> => {
    const failed = await new Promise<string>((resolve) => void decode(zeros, (error) => resolve(String(error))))
    await fetch(server.url)
    return failed
  }
  const { trace } = await recordRun(agent)
  expect(String(trace.end?.output)).toMatch(/Error/)
  expect((await replay(trace, agent)).divergences).toEqual([])
})
