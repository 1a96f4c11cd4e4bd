import { type Asked, type OrdersClient } from '../boundaries/http2/shop-server.ts'

export async function talk(client: OrdersClient, words: readonly string[]): Promise<unknown[]> {
  const stream = client.Talk()
  for (const id of words) stream.write({ id })
  stream.end()
  const heard: unknown[] = []
  for await (const { id } of stream as AsyncIterable<Asked>) heard.push(id)
  return heard
}
