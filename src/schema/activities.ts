import type { Activity } from './activity.ts';

/** Waits until none of several kinds of work is under way. */
export const allStill = (...activities: readonly Activity[]): Pick<Activity, 'still'> => ({
  async still() {
    do {
      for (const activity of activities) await activity.still();
    } while (activities.some(({ isStill }) => !isStill));
  },
});
