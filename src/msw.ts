export { goldenHandlers } from './replay/golden-handlers.ts'
