/** What a client may ask for: a name beyond this would be refused before it is looked up. */
export const clusterName = /^[A-Za-z0-9][\w.-]{0,120}$/;
