/** A provider that holds conversations. It has its own process, so that its work is in nobody's figures. Prints its port. */
import { startProvider } from '../../examples/world/provider.ts'
import { writeAnswer } from '../replay/conversation-agent.ts'

const provider = await startProvider({ script: ({ turn }) => ({ text: writeAnswer(turn) }), keepExchanges: false })
console.log(new URL(provider.openaiBaseUrl).port)
