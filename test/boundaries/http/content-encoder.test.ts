import { once } from 'node:events'
import type { Transform } from 'node:stream'
import zlib from 'node:zlib'
import { expect, it } from 'vitest'
import { createContentEncoder } from '../../../src/http/content-encoder.ts'
import { bodyDecoder } from '../../../src/http/decode-body.ts'

const decoders: readonly (readonly [coding: string, create: () => Transform])[] = [
  ['gzip', () => zlib.createGunzip()],
  ['x-gzip', () => zlib.createGunzip()],
  ['deflate', () => zlib.createInflate()],
  ['br', () => zlib.createBrotliDecompress()],
  ['zstd', () => zlib.createZstdDecompress()],
]

/** What a decoder gives: after each piece of what it is given, and at the end. */
async function decodePieces(decoder: Transform, pieces: readonly Uint8Array[]): Promise<string[]> {
  let decoded = ''
  decoder.on('data', (bytes: Buffer) => (decoded += bytes.toString('latin1')))
  const seen: string[] = []
  for (const piece of pieces) {
    await new Promise((resolve) => decoder.write(piece, resolve))
    await new Promise((resolve) => setImmediate(resolve))
    seen.push(decoded)
    decoded = ''
  }
  const ended = new Promise((resolve, reject) => decoder.on('end', resolve).on('error', reject))
  decoder.end()
  await ended
  return [...seen, decoded]
}

it.each(decoders)('makes of each piece what a decoder of %s makes that piece of', async (coding, createDecoder) => {
  const encoder = createContentEncoder(coding)
  const pieces = ['one', '', 'x'.repeat(200_000), '\u0000ÿ'].map((text) => Buffer.from(text, 'latin1'))
  const encoded = [...pieces.map((piece) => encoder?.piece(piece) ?? piece), encoder?.end() ?? new Uint8Array()]
  const decoded = await decodePieces(createDecoder(), encoded)
  expect(decoded.join('')).toBe(Buffer.concat(pieces).toString('latin1'))
  expect(decoded.slice(0, 2)).toEqual(['one', ''])
  expect(decoded.at(3)).toBe('\u0000ÿ')
})

it.each([...decoders.map(([coding]) => coding), 'gzip, br', 'identity, zstd,deflate'])('makes %s of any body, of none too', (coding) => {
  for (const text of ['', 'a', 'b'.repeat(65_535), 'c'.repeat(65_536)]) {
    const encoder = createContentEncoder(coding)
    const bytes = Buffer.concat([encoder?.piece(Buffer.from(text)) ?? Buffer.alloc(0), encoder?.end() ?? Buffer.alloc(0)])
    expect(bytes.length).toBeGreaterThan(0)
    expect(Buffer.from(bodyDecoder(coding)?.(bytes) ?? bytes).toString()).toBe(text)
  }
})

it.each(decoders)('makes a decoder of %s fail when all before has been read', async (coding, createDecoder) => {
  for (const text of ['', 'read']) {
    const encoder = createContentEncoder(coding)
    const pieces = [encoder?.piece(Buffer.from(text)), encoder?.fault()].map((piece) => piece ?? new Uint8Array())
    const decoder = createDecoder()
    let read = ''
    decoder.on('data', (bytes: Buffer) => (read += bytes.toString()))
    const failed = once(decoder, 'error')
    for (const piece of pieces) decoder.write(piece)
    await failed
    expect(read).toBe(text)
  }
})

it('makes nothing of a coding that it does not know', () => {
  expect([undefined, '', 'identity', 'compress', 'gzip, compress'].map(createContentEncoder)).toEqual(Array(5).fill(undefined))
})
