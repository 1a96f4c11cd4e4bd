export { desk as agent } from './desk.ts'
