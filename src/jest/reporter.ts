export { GoldenReporter, GoldenReporter as default } from './golden-reporter.ts'
export type { GoldenReporterOptions } from '../goldens/results/report-goldens.ts'
