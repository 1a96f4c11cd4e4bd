export { GoldenReporter, GoldenReporter as default } from './golden-reporter.ts'
