import { isText, keysOf, listOf, type Keys } from './document.ts';
import type { Fault } from './fault.ts';

/** `exclusive` says that a store is all one organization's, so its own words are passed on. That must be so. */
export function exclusiveStoreFaults(organizations: readonly Keys[], islands: readonly Keys[]): Fault[] {
  return islands.flatMap(({ name, prometheus, sharedPool }, i) => {
    if (!isText(name) || keysOf(prometheus)['exclusive'] !== true) return [];
    const owners = organizations.filter(({ clusters }) =>
      listOf(clusters).some((one) => keysOf(one)['island'] === name),
    );
    const fault = (message: string): Fault => ({ path: ['islands', i, 'prometheus', 'exclusive'], message });
    return [
      ...(owners.length > 1
        ? [fault('means that the store is one organization’s, but several have clusters there; leave it out')]
        : []),
      ...(listOf(sharedPool).length > 0
        ? [fault('means that the store is one organization’s, but sharedPool has clusters of others; leave one out')]
        : []),
    ];
  });
}
