import type { Verdict } from './verdict.ts';
export const cheap = async (): Promise<Verdict[]> => [];
