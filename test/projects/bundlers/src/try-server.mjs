// Starts a built server, asks it once, has it closed, and reads what it recorded.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { listTraces, readTrace } from 'goldenrun/replay'

const [, , file = '', store = 'runs'] = process.argv
await rm('runs', { recursive: true, force: true })
const child = fork(file, { env: { ...process.env, RUNS: store }, silent: true })
const warnings = []
child.stderr.on('data', (data) => warnings.push(String(data)))
const [port] = await once(child, 'message')
const response = await fetch(`http://127.0.0.1:${port}/`)
console.log(response.status, await response.text())
child.send('close')
const [recorded] = await once(child, 'message')
const [status] = await once(child, 'exit')
console.log('recorded', recorded, 'status', status)
for (const line of warnings.join('').split('\n'))
  if (line.includes('Warning: goldenrun')) console.log(line.replace(/^\(node:\d+\) /, '').replace(/\d{8}-\d+-[0-9a-f]{8}/, '<id>'))
const [run] = store === 'runs' ? await listTraces({ store }) : []
if (run !== undefined)
  console.log(
    (await readTrace(run.id, { store })).steps.map(({ boundary, settledAt }) => `${boundary} ${settledAt !== undefined}`).join(', '),
  )
