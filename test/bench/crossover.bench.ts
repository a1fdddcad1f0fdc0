import type { Verdict } from './verdict.ts';
export const crossover = async (): Promise<Verdict[]> => [];
