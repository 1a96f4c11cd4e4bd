export { goldenHandlers } from './replay/answers/golden-handlers.ts'
