import { expect, it } from 'vitest'
import { type Ids, recordAndReplay, register } from './ids-of-processes.ts'

it('cannot where the libraries were not reached, as the documentation says', async () => {
  const { recorded, cold, warm } = await recordAndReplay()
  const differing = (replayed: Ids): string[] => Object.keys(recorded).filter((way) => String(replayed[way]) !== String(recorded[way]))
  const keeping = ['uuid v1', 'nanoid', 'nanoid of a size', 'nanoid of an alphabet', 'cuid2', 'cuid2 of a length']
  expect(differing(cold)).toEqual(expect.arrayContaining(keeping))
  expect(differing(warm)).toEqual(expect.arrayContaining([...keeping, 'uuid v7']))
  // A plain v4 keeps nothing.
  expect([cold['uuid v4'], warm['uuid v4']]).toEqual([recorded['uuid v4'], recorded['uuid v4']])
})

it('makes the same ids in a process that has made none before, and in one that has', async () => {
  const { recorded, cold, warm } = await recordAndReplay('--import', register)
  expect(cold).toEqual(recorded)
  expect(warm).toEqual(recorded)
  // And they are ids still.
  const made = Object.values(recorded).flat()
  expect(new Set(made).size).toBe(made.length)
  expect(made).toHaveLength(51)
})
