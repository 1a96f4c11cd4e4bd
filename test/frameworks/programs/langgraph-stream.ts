import { StructuredTool } from '@langchain/core/tools'
import { createReactAgent } from '@langchain/langgraph/prebuilt'
import { ChatOpenAI } from '@langchain/openai'
import { z } from 'zod'
import { wrapTools } from '../../../src/run/wrap-tools.ts'
import { asAsked, type FrameworkAgent, lookUp } from './framework-agent.ts'

/** A tool as a class, with what a class may have. */
class GetOrder extends StructuredTool {
  override name = 'get_order'
  override description = 'Looks an order up.'
  override schema = z.object({ id: z.string() })
  readonly #spell: (id: string) => string
  readonly #database = { find: lookUp }

  constructor(spell: (id: string) => string) {
    super()
    this.#spell = spell
  }

  override async call(...[args, config]: Parameters<StructuredTool['call']>): ReturnType<StructuredTool['call']> {
    const { id } = this.schema.parse(args)
    return await super.call({ id: this.#spell(id) }, config)
  }

  protected override async _call({ id }: { id: string }): Promise<string> {
    return JSON.stringify(this.#database.find(id))
  }
}

/** A prebuilt agent of LangGraph, streamed, with a tool that is a class. */
export const agent: FrameworkAgent = async ({ question, model }, { spell = asAsked } = {}) => {
  const llm = new ChatOpenAI({ model: 'gpt-4.1-mini', apiKey: 'sk-local', configuration: { baseURL: model }, streaming: true })
  const graph = createReactAgent({ llm, tools: wrapTools([new GetOrder(spell)]) })
  const seen: unknown[] = []
  const stream = await graph.stream({ messages: [{ role: 'user', content: question }] }, { streamMode: ['updates', 'messages'] })
  for await (const [mode, update] of stream) {
    seen.push(mode === 'messages' ? update[0].content : Object.keys(update))
  }
  return seen
}
