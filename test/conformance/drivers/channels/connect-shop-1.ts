/** The first major version of @bufbuild/protobuf. */
export interface FirstProtobuf {
  readonly proto3: { makeMessageType(name: string, fields: () => readonly object[]): unknown }
  readonly MethodKind: Readonly<Record<'Unary' | 'ServerStreaming' | 'ClientStreaming' | 'BiDiStreaming', number>>
}

/** What the code that is generated for a client of Connect 1 says of the shop. */
export function describeShopForFirst({ proto3, MethodKind }: FirstProtobuf): object {
  const id = { no: 1, name: 'id', kind: 'scalar', T: 9 }
  const asked = proto3.makeMessageType('shop.Asked', () => [id, { no: 2, name: 'count', kind: 'scalar', T: 5 }])
  const order = proto3.makeMessageType('shop.Order', () => [id])
  return {
    typeName: 'shop.Orders',
    methods: {
      get: { name: 'Get', I: asked, O: order, kind: MethodKind.Unary },
      watch: { name: 'Watch', I: asked, O: order, kind: MethodKind.ServerStreaming },
      sum: { name: 'Sum', I: asked, O: asked, kind: MethodKind.ClientStreaming },
      talk: { name: 'Talk', I: asked, O: asked, kind: MethodKind.BiDiStreaming },
    },
  }
}
