import { recordCancel, recordRefundTwice } from '../test/support/recordings.ts'
process.chdir('/tmp/compare/p')
console.log(await recordCancel('.goldenrun/runs'), await recordRefundTwice('.goldenrun/runs'))
