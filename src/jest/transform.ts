export { transform as default } from './golden-transform.ts'
export type { GoldenTransformOptions } from './golden-transform.ts'
