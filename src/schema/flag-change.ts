import { FlagChangeTypeEnum } from './enums.ts';
import { FlagChangeRef, FlagRef } from './refs.ts';

FlagChangeRef.implement({
  description: 'One thing that happened to a flag of a cluster.',
  fields: (t) => ({
    change: t.field({
      type: FlagChangeTypeEnum,
      nullable: false,
      description: 'What happened.',
      resolve: ({ type }) => type,
    }),
    key: t.string({
      description: 'The key of the flag; null for CURRENT, which is about none.',
      resolve: ({ key }) => key,
    }),
    flag: t.field({
      type: FlagRef,
      description:
        'The flag as it is now, under a window of six hours that ends now. Null for CURRENT, and where nothing of it lies in that window any more.',
      resolve: ({ flag }) => flag,
    }),
    at: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'Up to when the samples were looked at.',
      resolve: ({ at }) => at,
    }),
    cursor: t.string({
      nullable: false,
      description:
        'Give it as after when you subscribe again: you are told what happened since this event. Good for five and a half hours, with this and any other gateway over the same stores. It grows with the flags that burn, by about 30 characters each.',
      resolve: ({ cursor }) => cursor(),
    }),
  }),
});
