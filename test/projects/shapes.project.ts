import { expect, inject, it } from 'vitest'
import { followAdvice } from '../shapes/follow-advice.ts'
import { shapes } from '../shapes/shapes.ts'

it.each(Object.entries(shapes))(
  'goes from nothing to green to red to green with what is printed: %s',
  async (_, shape) => {
    const { toFirstRed, leaked } = await followAdvice(shape, inject('tarball'))
    expect(toFirstRed.length).toBeLessThanOrEqual(6)
    expect(leaked).toBe(0)
  },
  300_000,
)
