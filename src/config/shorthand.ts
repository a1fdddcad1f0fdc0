import { z } from 'zod';

/** Lets a setting be written short: the short form becomes the long one before it is looked at. */
export const orShort = <Long extends z.ZodType>(
  isShort: (value: unknown) => boolean,
  lengthen: (value: unknown) => unknown,
  long: Long,
) => z.preprocess((value) => (isShort(value) ? lengthen(value) : value), long);
export const isText = (value: unknown): boolean => typeof value === 'string';
export const isNumber = (value: unknown): boolean => typeof value === 'number';
