export { goldenrun } from './golden-plugin.ts'
