import { afterAll, expect, it } from 'vitest'
import { storeChecks } from '../../src/testing.ts'
import { capabilities, createStore, removeStores, reopen } from './checked-directories.ts'

afterAll(removeStores, 120_000)

it('lists and finds among 10,000 runs in a directory', { timeout: 300_000 }, async () => {
  const [check] = storeChecks({ create: createStore, capabilities, reopen }).filter(({ name }) => name.startsWith('lists and finds among'))
  expect(check?.name).toBe('lists and finds among 10000 runs')
  await expect(check?.run()).resolves.toBe(undefined)
})
