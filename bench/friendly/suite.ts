import { followAdvice, NotFollowedError } from '../../test/shapes/follow-advice.ts'
import { type Shape, shapes } from '../../test/shapes/shapes.ts'
import { packPackage } from '../../test/support/pack-package.ts'
import type { Metrics, Suite } from '../figures.ts'
import { measureRebase } from './rebase-cost.ts'

/** The shapes of a quick run. */
const quickShapes = ['vitest 5', 'jest, JavaScript only']

/** Checks whether a new user succeeds: projects of many shapes follow what goldenrun prints, to the letter. */
export const measureFriendly: Suite = async (note, { quick }) => {
  const rebase = await measureRebase(note, quick)
  await using packed = await packPackage()
  const counts: Record<Shape['runner'], number[]> = { vitest: [], jest: [] }
  const remarks: string[] = []
  const chosen = Object.entries(shapes).filter(([name]) => !quick || quickShapes.includes(name))
  for (const [name, shape] of chosen) {
    note(`Following what is printed in a project: ${name}.`)
    try {
      const { toFirstRed, leaked } = await followAdvice(shape, packed.tarball)
      if (leaked > 0) throw new NotFollowedError(`${leaked} requests of replays reached the world.`)
      counts[shape.runner].push(toFirstRed.length)
    } catch (error) {
      if (!(error instanceof NotFollowedError)) throw error
      remarks.push(`${name}: ${error.message.split('\n').slice(0, 2).join(' ')}`)
    }
  }
  const green = counts.vitest.length + counts.jest.length
  const init: Metrics = {
    first_red_vitest_commands: { value: Math.max(...counts.vitest), unit: 'commands', goal: 6, against: 'the most of all its shapes' },
    first_red_jest_commands: { value: Math.max(...counts.jest), unit: 'commands', goal: 6, against: 'the most of all its shapes' },
    init_green: { value: green, unit: 'shapes', goal: quick ? chosen.length : 16, better: 'more', against: `of ${chosen.length}` },
  }
  return { metrics: { ...init, ...rebase }, remarks }
}
