/** What a person on this system can do to have a Prometheus. */
export function howToInstall(platform: NodeJS.Platform = process.platform): string {
  const way = ways[platform] ?? 'Install Prometheus 2.39 or newer';
  return `${way}; then run this again, or name the program in GPUQL_PROMETHEUS.\nA container of any Debian-based image also works: gpuql fetches Prometheus there by itself.`;
}

const ways: { readonly [platform in NodeJS.Platform]?: string } = {
  darwin: 'Install it with `brew install prometheus`',
  linux: "Install your distribution's package `prometheus` (2.39 or newer), or unpack the project's download for Linux",
  win32: 'Run gpuql in WSL or in a container: the embedded store needs a Unix system',
};
