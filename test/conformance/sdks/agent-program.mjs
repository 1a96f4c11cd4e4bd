// A process that records or replays the agent next to it:
// `node --import goldenrun/register agent-program.mjs <agent> record|replay <store> [<change>] [<times>]`. Prints what came of it as one line of JSON.
import { createServer } from 'node:http'

const [name, task, store, change = '', times = '1'] = process.argv.slice(2)
const { agent, answer } = await import(`./${name}.mjs`)
console.log(JSON.stringify(task === 'record' ? await record() : await replayAll()))
process.exit()

async function record() {
  const { createRecorder } = await import('goldenrun')
  const server = createServer((request, response) => {
    const pieces = []
    request.on('data', (piece) => pieces.push(piece))
    request.on('end', () => {
      const { method, url, headers } = request
      const body = Buffer.concat(pieces).toString()
      send(response, answer({ method, url, headers, body }))
    })
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const recorder = createRecorder({ store })
  const input = { base: `http://127.0.0.1:${server.address().port}` }
  const output = await recorder.run({ agent: 'agent', input }, agent)
  await recorder.close()
  const { listTraces, readTrace } = await import('goldenrun/replay')
  const [{ id }] = await listTraces({ store })
  const { rows } = await readTrace(id, { store })
  const contacts = rows.filter(({ kind, what }) => kind === 'note' && what === 'unrecorded-contact').map(({ where }) => where)
  return { output, contacts }
}

/** Sends a whole body with its length, or pieces, after the last of which the connection is closed. */
function send(response, { status = 200, statusText, type = 'application/json', headers: more, body, pieces }) {
  const head = { 'content-type': type, ...more }
  if (pieces === undefined) {
    const whole = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body ?? '')
    response.writeHead(status, statusText, { 'content-length': Buffer.byteLength(whole), ...head }).end(whole)
    return
  }
  response.writeHead(status, statusText, { connection: 'close', ...head })
  for (const piece of pieces) response.write(piece)
  response.end()
}

async function replayAll() {
  const { listTraces, readTrace, replay } = await import('goldenrun/replay')
  const [{ id }] = await listTraces({ store })
  const trace = await readTrace(id, { store })
  const runs = []
  for (let time = 0; time < Number(times); time++) {
    const run = await replay(trace, (input) => agent({ ...input, change }), { guard: 'process' })
    const { outcome, divergences, drift, credentials } = run
    runs.push({
      status: outcome.status,
      output: outcome.output,
      error: outcome.error?.message,
      drift,
      credentials,
      divergences: divergences.map(({ cause, step, differences }) => ({ cause, step, differences })),
    })
  }
  return runs
}
