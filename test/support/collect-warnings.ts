import { afterAll, afterEach } from 'vitest'

/** The warnings of this process since the test began, with `<id>` for the ids of runs. */
export function collectWarnings(): string[] {
  const warnings: string[] = []
  const onWarning = (warning: Error): number => warnings.push(warning.message.replaceAll(/\d{8}-\d+-[0-9a-f]{8}/g, '<id>'))
  process.on('warning', onWarning)
  afterEach(() => warnings.splice(0))
  afterAll(() => process.off('warning', onWarning))
  return warnings
}
