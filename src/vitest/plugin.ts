export { goldenrun } from './golden-plugin.ts'
export type { GoldenrunOptions } from './golden-plugin.ts'
