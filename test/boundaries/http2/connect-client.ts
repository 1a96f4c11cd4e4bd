import * as protobuf from '@bufbuild/protobuf'
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt'
import { type CallOptions, createClient } from '@connectrpc/connect'
import { compressionGzip, createGrpcTransport } from '@connectrpc/connect-node'
import { describeShop } from './connect-shop.ts'

/** What the shop is asked, and answers. */
export interface ShopMessage {
  readonly id?: string
  readonly count?: number
}

type Asked = AsyncIterable<ShopMessage>

/** The client of Connect for the shop: it speaks gRPC by Node's HTTP/2, without grpc-js. */
export interface ConnectShop {
  get(asked: ShopMessage, options?: CallOptions): Promise<ShopMessage>
  watch(asked: ShopMessage, options?: CallOptions): AsyncIterable<ShopMessage>
  sum(asked: Asked, options?: CallOptions): Promise<ShopMessage>
  talk(asked: Asked, options?: CallOptions): AsyncIterable<ShopMessage>
}

/** @param url As `http://127.0.0.1:50051`. */
export function createConnectShop(url: string, { compresses = false }: { readonly compresses?: boolean } = {}): ConnectShop {
  const compression = compresses ? { sendCompression: compressionGzip, compressMinBytes: 0 } : {}
  const transport = createGrpcTransport({ baseUrl: url, ...compression })
  return createClient(describeShop(protobuf, FileDescriptorProtoSchema), transport) as unknown as ConnectShop
}
