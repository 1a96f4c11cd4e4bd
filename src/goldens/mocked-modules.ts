import { readFileSync } from 'node:fs'
import type { MockedModule } from '../divergence/report/mocked-module.ts'
import { displayPath } from '../node/display-path.ts'

const mocking = /\b(?:vi|vitest|jest)\.(?:do|unstable_)?[mM]ock(?:Module)?\(\s*(?:import\(\s*)?(['"`])(?<module>[^'"`]+)\1/g

/** Returns the modules that a test file mocks, with their lines; none if it cannot be read. */
export function mockedModules(file: string): MockedModule[] {
  const text = readText(file)
  return [...text.matchAll(mocking)].map((found) => {
    const line = text.slice(0, found.index).split('\n').length
    return { module: found.groups?.['module'] ?? '', at: `${displayPath(file)}:${line}` }
  })
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
