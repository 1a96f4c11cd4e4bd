import type { Ask } from './model.ts'

/** The tools of the team. */
export interface Tools {
  search(args: object): Promise<string>
  lookUp(args: object): Promise<{ readonly price: number }>
}

/** Searches, and says what matters. */
export async function research(question: string, ask: Ask, { search }: Tools): Promise<string> {
  const found = await search({ query: question })
  return await ask('You research.', `${question} Found: ${found}`)
}

/** Looks a price up, and says what it means. */
export async function appraise(question: string, ask: Ask, { lookUp }: Tools): Promise<string> {
  const { price } = await lookUp({ item: question })
  return await ask('You appraise.', `${question} Price: ${price}`)
}
