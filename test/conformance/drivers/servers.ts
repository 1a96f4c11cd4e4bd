import { startMongo } from '../../support/mongo-service.ts'
import { type Service, startMariadb, startPostgres, startRedis } from '../../support/services.ts'
import {
  listenBedrock,
  listenLive,
  listenQdrant,
  listenRealtime,
  listenShop,
  listenTalk,
  listenWeaviate,
} from './channels/channel-servers.ts'
import type { DriverProgram, DriverServer } from './driver-program.ts'

const start: Readonly<Record<DriverServer, () => Promise<Service>>> = {
  postgres: startPostgres,
  redis: startRedis,
  mariadb: startMariadb,
  mongo: startMongo,
  shop: listenShop,
  bedrock: listenBedrock,
  qdrant: listenQdrant,
  weaviate: listenWeaviate,
  talk: listenTalk,
  live: listenLive,
  realtime: listenRealtime,
  none: () => Promise.resolve({ port: 0, [Symbol.asyncDispose]: () => Promise.resolve() }),
}

/** Starts the server that the flows of a driver need. @param program Its file in this folder, without the ending. */
export async function startServer(program: string): Promise<Service> {
  const module = (await import(`./${program}.ts`)) as { readonly program: DriverProgram<unknown> }
  return await start[module.program.server]()
}
