export { preset as default } from './goldens-config.ts'
