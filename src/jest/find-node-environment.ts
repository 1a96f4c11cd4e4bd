import { createRequire } from 'node:module'
import type { JestEnvironmentClass } from './with-goldenrun.ts'

/** How Jest comes by its environment. It is no dependency of the user's, and not everywhere can it be loaded from here. */
const chain = ['jest', 'jest-cli', 'jest-config', 'jest-environment-node']

/** Jest's own environment, `jest-environment-node`. */
export function findNodeEnvironment(): JestEnvironmentClass {
  let requireFrom = createRequire(import.meta.url)
  const direct = load(requireFrom)
  if (direct !== undefined) return direct
  for (const name of chain.slice(0, -1)) requireFrom = createRequire(requireFrom.resolve(name))
  return (requireFrom('jest-environment-node') as { readonly TestEnvironment: JestEnvironmentClass }).TestEnvironment
}

function load(requireFrom: NodeJS.Require): JestEnvironmentClass | undefined {
  try {
    return (requireFrom('jest-environment-node') as { readonly TestEnvironment: JestEnvironmentClass }).TestEnvironment
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}
