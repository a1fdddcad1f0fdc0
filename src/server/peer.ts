import type { IncomingMessage } from 'node:http';

/** Who is at the other end of the connection itself: no header can say so. */
export const peerOf = ({ req }: { readonly req?: IncomingMessage }): string | undefined => req?.socket.remoteAddress;
