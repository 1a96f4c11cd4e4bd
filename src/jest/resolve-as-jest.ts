import { createRequire } from 'node:module'

/** The chain through which Jest resolves its own packages. They are not the user's dependencies and cannot always be resolved from here. */
const chain = ['jest', 'jest-cli', 'jest-config']

/** Returns the file of one of Jest's packages: an absolute path; undefined if Jest is not installed. */
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
