import { defineConfig, type GoldenrunConfig } from 'goldenrun/config'

// AGENT=askFirst makes commands run a candidate for a fix.
const candidate = process.env['AGENT']

const config: GoldenrunConfig = defineConfig({
  agents: { support: candidate === undefined ? './src/agent.ts#supportAgent' : `./src/candidates.ts#${candidate}` },
  // Answers the calls of forks and samples that the recorded run did not make.
  sandbox: {
    find_refund: { id: 're_1', order_id: 'ord_1001', amount: 4900 },
    'openai.chat': (request: unknown) => ({
      text: JSON.stringify(request).includes('Error: ') ? 'I could not refund ord_1001.' : 'The $49.00 are on their way back.',
    }),
  },
})

export default config
