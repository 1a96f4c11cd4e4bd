import { once } from 'node:events'
import zlib from 'node:zlib'
import { expect, it } from 'vitest'
import { EncodedAnswer } from '../../src/http/encoded-answer.ts'
import type { Coding } from '../../src/http/codings.ts'

const decoders = { gzip: zlib.createGunzip, deflate: zlib.createInflate, br: zlib.createBrotliDecompress, zstd: zlib.createZstdDecompress }

/** What Node's own stream gives of an encoded body, and how it fails. */
async function decode(coding: keyof typeof decoders, pieces: readonly Uint8Array[]): Promise<{ text: string; failure: string }> {
  const stream = decoders[coding]()
  let text = ''
  stream.on('data', (bytes: Buffer) => (text += bytes.toString()))
  const failed = once(stream, 'end').then(
    () => 'none',
    (error: NodeJS.ErrnoException) => `${error.code}: ${error.message}`,
  )
  for (const piece of pieces) {
    stream.write(piece)
    await new Promise((resolve) => void setTimeout(resolve, 20))
  }
  stream.end()
  return { text, failure: await failed }
}

it.each<[keyof typeof decoders & Coding, string]>([
  ['br', 'ERR__ERROR_FORMAT_CL_SPACE: Decompression failed'],
  ['br', 'ERR__ERROR_FORMAT_PADDING_1: Decompression failed'],
  ['br', 'ERR__ERROR_FORMAT_HUFFMAN_SPACE: Decompression failed'],
  ['br', 'ERR__ERROR_FORMAT_BLOCK_LENGTH_1: Decompression failed'],
  ['br', 'ERR__ERROR_FORMAT_BLOCK_LENGTH_2: Decompression failed'],
  ['br', 'ERR__ERROR_FORMAT_TRANSFORM: Decompression failed'],
  ['br', 'ERR__ERROR_FORMAT_DICTIONARY: Decompression failed'],
  ['br', 'ERR__ERROR_FORMAT_DISTANCE: Decompression failed'],
  ['gzip', 'Z_DATA_ERROR: incorrect data check'],
  ['gzip', 'Z_DATA_ERROR: invalid code -- missing end-of-block'],
  ['gzip', 'Z_DATA_ERROR: invalid distances set'],
  ['gzip', 'Z_DATA_ERROR: invalid code lengths set'],
  ['deflate', 'Z_DATA_ERROR: invalid stored block lengths'],
  ['deflate', 'Z_DATA_ERROR: invalid distance code'],
  ['zstd', 'ZSTD_error_corruption_detected: Data corruption detected'],
  ['zstd', 'ZSTD_error_dstSize_tooSmall: Destination buffer is too small'],
])('gives a %s body that its decoder refuses as recorded, behind what was decoded: %s', async (coding, refusal) => {
  const answer = new EncodedAnswer('GET', { status: 200, headers: [['content-encoding', coding]] })
  const pieces = [answer.piece(Buffer.from('{"text":"')), answer.piece(Buffer.from([1, 2, 3]), refusal)]
  expect(await decode(coding, pieces)).toEqual({ text: '{"text":"', failure: refusal })
})

it('gives a body that is refused in any way where none is found that is refused as recorded', async () => {
  const answer = new EncodedAnswer('GET', { status: 200, headers: [['content-encoding', 'br']] })
  const { text, failure } = await decode('br', [answer.piece(Buffer.from('a')), answer.piece(Buffer.from([1]), 'ERR__NEVER: no')])
  expect([text, failure]).toEqual(['a', 'ERR__ERROR_FORMAT_RESERVED: Decompression failed'])
})
