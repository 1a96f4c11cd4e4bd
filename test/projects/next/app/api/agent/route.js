import { agent } from '../../../src/agent.js'
import { recorder } from '../../../src/recorder.js'

export const dynamic = 'force-dynamic'

export async function GET(request) {
  const order = new URL(request.url).searchParams.get('order')
  return Response.json(await recorder.run({ agent: 'desk', input: { order } }, agent))
}
