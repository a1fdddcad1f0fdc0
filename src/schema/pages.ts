import type { builder } from './builder.ts';
import type { Page } from './connection.ts';
import { PageInfoRef } from './refs.ts';

type Ref<T> = ReturnType<typeof builder.objectRef<T>>;

/** What a list is of, for its descriptions: `node`, `nodes`. */
export interface Listed {
  readonly one: string;
  readonly many: string;
  /** In which order. */
  readonly order: string;
}

/** The types of one list that is paged through. */
export function implementPages<T>(
  { one, many, order }: Listed,
  refs: { readonly connection: Ref<Page<T>>; readonly edge: Ref<Page<T>['edges'][number]>; readonly node: Ref<T> },
): void {
  refs.connection.implement({
    description: `One page of ${many}, ${order}. Null only with an error.`,
    fields: (t) => ({
      totalCount: t.int({
        description: `Number of ${many} on all pages. Null only with an error.`,
        resolve: ({ totalCount }) => totalCount,
      }),
      pageInfo: t.field({
        type: PageInfoRef,
        nullable: false,
        description: 'How to page on.',
        resolve: ({ pageInfo }) => pageInfo,
      }),
      nodes: t.field({
        type: [refs.node],
        nullable: false,
        description: `The ${many} of this page.`,
        resolve: ({ edges }) => edges.map(({ node }) => node) as never,
      }),
      edges: t.field({
        type: [refs.edge],
        nullable: false,
        description: `The ${many} of this page, each with its cursor.`,
        resolve: ({ edges }) => [...edges] as never,
      }),
    }),
  });
  refs.edge.implement({
    description: `A ${one} and its place in the list.`,
    fields: (t) => ({
      cursor: t.string({
        nullable: false,
        description: `Give it as after to go on behind this ${one}.`,
        resolve: ({ cursor }) => cursor,
      }),
      node: t.field({
        type: refs.node,
        nullable: false,
        description: `The ${one}.`,
        resolve: ({ node }) => node as never,
      }),
    }),
  });
}
