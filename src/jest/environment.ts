export { TestEnvironment, TestEnvironment as default } from './golden-environment.ts'
export { withGoldenrun } from './with-goldenrun.ts'
export type { JestEnvironment, JestEnvironmentClass } from './with-goldenrun.ts'
