import { setUpSupportAgent, testSupportAgent } from '../support/support-agent.ts'

setUpSupportAgent()
testSupportAgent('agent-anthropic')
