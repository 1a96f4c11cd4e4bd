export { withGoldens } from './goldens-config.ts'
export type { JestConfig } from './goldens-config.ts'
