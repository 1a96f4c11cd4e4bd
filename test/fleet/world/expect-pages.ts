import { expect } from 'vitest'
import { S3ObjectStorage } from '../../../src/fleet/storage/s3-object-storage.ts'
import { toS3Location } from '../../../src/fleet/storage/s3-location.ts'
import type { S3World } from './s3-world.ts'

/** Stores so many objects, and expects a listing to have all of them but the first five and the last. */
export async function expectPages(world: S3World, count: number): Promise<void> {
  const storage = new S3ObjectStorage(toS3Location(world.url.replace('/fleet', '/pages')))
  const keys = Array.from({ length: count }, (_, number) => keyOf(number))
  for (let start = 0; start < count; start += 50)
    await Promise.all(keys.slice(start, start + 50).map((key) => storage.put(key, new Uint8Array(sizeOf(key)))))
  const pages = []
  for await (const page of storage.list({ prefix: 'runs/', after: keyOf(4), before: keyOf(count - 1) })) pages.push(page)
  expect(pages.length).toBeGreaterThan(2)
  expect(pages.flat()).toEqual(keys.slice(5, -1).map((key) => ({ key, size: sizeOf(key) })))
}

const keyOf = (number: number): string => `runs/${String(number).padStart(5, '0')}`

/** A size that differs from object to object. */
const sizeOf = (key: string): number => Number(key.slice(-5)) % 7
