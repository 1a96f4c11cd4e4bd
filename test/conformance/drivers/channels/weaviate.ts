import type { WeaviateClient } from 'weaviate-client'
import type { DriverProgram } from '../driver-program.ts'

/** The package weaviate-client: HTTP/1 to open, gRPC to search. */
export const program: DriverProgram<WeaviateClient> = {
  server: 'weaviate',
  opensInSteps: true,
  async open({ port, load }) {
    const { default: weaviate } = load('weaviate-client') as typeof import('weaviate-client')
    return await weaviate.connectToCustom({ httpHost: '127.0.0.1', httpPort: port, grpcHost: '127.0.0.1', grpcPort: port })
  },
  close: (client) => client.close(),
  flows: {
    search: async (client) => await search(client, 'Books'),
    parallel: async (client) => await Promise.all(['Books', 'Papers', 'Notes'].map((name) => search(client, name))),
    error: async (client) => await search(client, 'Missing').catch(({ name }: Error) => name),
  },
}

async function search(client: WeaviateClient, name: string): Promise<unknown> {
  const { objects } = await client.collections.use(name).query.nearVector([0.25, 0.5], { limit: 2 })
  return objects.map(({ properties }) => properties)
}
