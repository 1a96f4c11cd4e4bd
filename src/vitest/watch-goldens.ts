import type { TestModule, Vitest } from 'vitest/node'
import { displayPath } from '../node/display-path.ts'
import { isGolden } from '../stores/golden-directory.ts'
import type { ToldResults } from './told.ts'
import { namesGolden } from './related-goldens.ts'

/** Watchers that are already set up. */
const watched = new WeakSet<object>()

/** In watch mode, reruns the tests that name a changed golden, in addition to the golden's own test. */
export function rerunWhenGoldensChange(vitest: Vitest): void {
  const { config } = vitest
  if (watched.has(config)) return
  watched.add(config)
  const testsToRun = (file: string): string[] => [
    file,
    ...vitest.state.getTestModules().flatMap((module) => (names(module, file) ? [module.moduleId] : [])),
  ]
  config.watchTriggerPatterns = [...(config.watchTriggerPatterns ?? []), { pattern: /[\\/]golden-traces[\\/].*\.jsonl$/, testsToRun }]
}

/** Returns whether a test file asserted the golden when it last ran, or contains its name. */
function names(module: TestModule, golden: string): boolean {
  const shown = displayPath(golden)
  const told = [...module.children.allTests()].flatMap((test): ToldResults => test.meta().goldenrun ?? [])
  return namesGolden(module.moduleId, golden) || (!isGolden(module.moduleId) && told.some(({ file }) => file === shown))
}
