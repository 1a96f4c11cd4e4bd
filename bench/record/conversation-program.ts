/** A provider that holds conversations, in a process of its own so that its work is in nobody's figures; prints its port. */
import { startProvider } from '../../examples/world/provider.ts'
import { writeAnswer } from '../replay/conversation-agent.ts'

const provider = await startProvider({ script: ({ turn }) => ({ text: writeAnswer(turn) }), keepExchanges: false })
console.log(new URL(provider.openaiBaseUrl).port)
