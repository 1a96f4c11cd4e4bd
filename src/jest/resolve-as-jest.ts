import { createRequire } from 'node:module'

/** How Jest comes by its own packages. They are no dependencies of the user's, and not everywhere can they be found from here. */
const chain = ['jest', 'jest-cli', 'jest-config']

/** The file of one of Jest's packages: an absolute path; undefined where Jest is not installed. */
export function resolveAsJestDoes(name: string): string | undefined {
  let requireFrom = createRequire(import.meta.url)
  const direct = resolve(requireFrom, name)
  if (direct !== undefined) return direct
  for (const step of chain) {
    const file = resolve(requireFrom, step)
    if (file === undefined) return undefined
    requireFrom = createRequire(file)
  }
  return resolve(requireFrom, name)
}

function resolve(requireFrom: NodeJS.Require, name: string): string | undefined {
  try {
    return requireFrom.resolve(name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}
