/** A reading as the graph gives it: bucket i covers (t0 + i*stepS, t0 + (i+1)*stepS]. */
export interface Series {
  readonly t0: number;
  readonly stepS: number;
  readonly values: readonly (number | null)[];
}

export interface Panel {
  readonly title: string;
  readonly color: string;
  readonly series: Series;
}

/** A stretch of time, epoch seconds. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly label?: string;
}

const [width, left, right, top, height, between] = [960, 56, 16, 40, 170, 44];
const ink = '#1f2328';
const faint = '#d0d7de';

/** Panels above each other over one axis of time: what was slow is shaded through all of them, pauses are ticks below. */
export function draw(panels: readonly Panel[], slow: readonly Stretch[], pauses: readonly Stretch[]): string {
  const { t0, stepS, values } = panels[0]!.series;
  const end = t0 + values.length * stepS;
  const x = (at: number): number => left + ((Math.min(Math.max(at, t0), end) - t0) / (end - t0)) * (width - left - right);
  const bottom = top + panels.length * (height + between) - between;
  const box = ({ from, to }: Stretch, y: number, tall: number, color: string): string =>
    `<rect x="${px(x(from))}" y="${y}" width="${px(Math.max(1, x(to) - x(from)))}" height="${tall}" fill="${color}"/>`;
  const hours = Array.from({ length: Math.floor(end / 3600) - Math.ceil(t0 / 3600) + 1 }, (_, i) => (Math.ceil(t0 / 3600) + i) * 3600);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${bottom + 52}" font-family="system-ui, sans-serif" font-size="13" fill="${ink}">
<rect width="100%" height="100%" fill="#ffffff"/>
${slow.map((stretch) => box(stretch, top, bottom - top, '#fff1e0')).join('\n')}
${slow.map(({ from, to, label = '' }) => word(within(x((from + to) / 2)), top + 16, label, 'middle', '#9a5b00')).join('\n')}
${panels.map((panel, i) => drawPanel(panel, top + i * (height + between), x)).join('\n')}
${pauses.map((pause) => box(pause, bottom + 4, 8, '#8c959f')).join('\n')}
${hours.map((at) => word(x(at), bottom + 30, new Date(at * 1000).toISOString().slice(11, 16), 'middle')).join('\n')}
${word(width - right, bottom + 46, 'UTC; grey: checkpoints and evaluation', 'end', '#59636e')}
</svg>
`;
}

function drawPanel({ title, color, series: { t0, stepS, values } }: Panel, y: number, x: (at: number) => number): string {
  const known = values.filter((value) => value !== null);
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const room = (most - least) * 0.1 || 1;
  const [low, high] = [least - room, most + room];
  const up = (value: number): number => y + height - ((value - low) / (high - low)) * height;
  const marks = [low, (low + high) / 2, high].map(
    (value) =>
      `<path d="M${left} ${px(up(value))}H${width - right}" stroke="${faint}"/>${word(left - 8, up(value) + 4, String(Number(value.toPrecision(3))), 'end')}`,
  );
  // A null is a gap in the line, never a zero; a value between two of them is a dot.
  const line = values
    .map((value, i) =>
      value === null ? '' : `${i === 0 || values[i - 1] === null ? 'M' : 'L'}${px(x(t0 + (i + 0.5) * stepS))} ${px(up(value))}h0`,
    )
    .join('');
  return `${marks.join('')}<path d="${line}" fill="none" stroke="${color}" stroke-width="2" stroke-linecap="round"/>${word(left, y - 10, title, 'start', color, ' font-weight="600"')}`;
}

/** Where a short word in the middle is not cut off. */
const within = (at: number): number => Math.min(Math.max(at, left + 70), width - right - 70);

const px = (value: number): string => String(Math.round(value * 10) / 10);

const word = (x: number, y: number, text: string, anchor: string, color = ink, more = ''): string =>
  `<text x="${px(x)}" y="${px(y)}" text-anchor="${anchor}" fill="${color}"${more}>${text.replace(/[&<]/g, (c) => (c === '&' ? '&amp;' : '&lt;'))}</text>`;
