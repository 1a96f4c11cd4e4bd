import { expect, it } from 'vitest'
import { cutDigests, digestOf } from '../../src/http/digests.ts'
import type { DigestAlgorithm } from '../../src/trace/digest-mark.ts'

// The check values of the catalogue of CRCs and of RFC 1321, 3174 and 6234: digests of "123456789" and of "abc".
it.each<[DigestAlgorithm, string, string]>([
  ['crc32', '123456789', 'cbf43926'],
  ['crc32c', '123456789', 'e3069283'],
  ['crc64nvme', '123456789', 'ae8b14860a799888'],
  ['md5', 'abc', '900150983cd24fb0d6963f7d28e17f72'],
  ['sha1', 'abc', 'a9993e364706816aba3e25717850c26c9cd0d89d'],
  ['sha256', 'abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
])('computes %s', (algorithm, body, expected) => {
  expect(digestOf(Buffer.from(body), algorithm, 'hex')).toBe(expected)
  expect(digestOf(Buffer.from(body), algorithm, 'base64')).toBe(Buffer.from(expected, 'hex').toString('base64'))
})

it('prints a CRC-32 in decimal digits', () => {
  expect(digestOf(Buffer.from('123456789'), 'crc32', 'decimal')).toBe(String(0xcb_f4_39_26))
})

it.each([
  ['content-md5', 'XrY7u+Ae7tCTyyK7j1rNww==', ''],
  ['etag', '"5eb63bbbe01eeed093cb22bb8f5acdc3"', '""'],
  ['etag', 'W/"b-Kq5sNclPz7QV2+lfQIuc6R7oRu0"', 'W/"b-"'],
  ['x-goog-hash', 'crc32c=yZRlqg==,md5=XrY7u+Ae7tCTyyK7j1rNww==', 'crc32c=,md5='],
  ['x-amz-checksum-crc32', 'DUoRhQ==', ''],
  ['x-amz-crc32', '222957957', ''],
  ['x-amz-checksum-crc64nvme', 'jSnVw/bqjr4=', ''],
  ['digest', 'SHA-256=uU0nuZNNPgilLlLX2n2r+sSE7+N6U4DukIj3rOLvzek=', 'SHA-256='],
  ['content-digest', 'sha-256=:uU0nuZNNPgilLlLX2n2r+sSE7+N6U4DukIj3rOLvzek=:', 'sha-256=::'],
  ['docker-content-digest', 'sha256:b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9', 'sha256:'],
])('cuts the digest out of %s: %s', (name, value, expected) => {
  expect(cutDigests([[name, value]]).headers).toEqual([[name, expected]])
})

it.each([
  ['x-crc32-count', '222957957'],
  ['content-length', '222957957'],
  ['x-request-id', '5eb63bbbe01eeed093cb22bb8f5acdc3'],
  ['set-cookie', 'sid=5eb63bbbe01eeed093cb22bb8f5acdc3'],
  ['traceparent', '00-5eb63bbbe01eeed093cb22bb8f5acdc3-00f067aa0ba902b7-01'],
  ['etag', '"5eb63bbbe01eeed093cb22bb8f5acdc3-3"'],
  ['etag', '"67a2b3c4-1d"'],
  ['x-version', 'DUoRhQ=='],
])('leaves %s: %s', (name, value) => {
  expect(cutDigests([[name, value]])).toMatchObject({ headers: [[name, value]], marks: [] })
})
