// A page that is filled from top to bottom.

import { type ShapedText, shapeText } from './shape-text.ts'
import { type PdfLine, type PdfText, writePdf } from './write-pdf.ts'

export { page_size } from './write-pdf.ts'

interface TextStyle {
  x: number
  size: number
  weight?: number
  gray?: number
  /** Whether `x` is where the text begins or ends. */
  align?: 'left' | 'right'
}

const top = 780
const bottom = 56

export class PdfPage {
  /** Where the next text stands. */
  y = top
  readonly #language: string
  readonly #texts: PdfText[] = []
  readonly #lines: PdfLine[] = []

  constructor(language: string) {
    this.#language = language
  }

  down(points: number): void {
    this.y -= points
  }

  text(text: string, style: TextStyle): void {
    this.#draw(this.#shape(text, style), style)
  }

  /** In as many lines as it needs. The next text stands below them. */
  paragraph(text: string, style: TextStyle & { width: number }): void {
    for (const line of this.#wrap(text, style)) {
      this.#draw(this.#shape(line, style), style)
      this.down(style.size * 1.5)
    }
  }

  line(from_x: number, to_x: number, gray: number): void {
    this.#lines.push({ from_x, to_x, y: this.y, gray })
  }

  toPdf(about: { title: string; author: string; created_at: Date }): Buffer {
    const content = { language: this.#language, texts: this.#texts, lines: this.#lines }
    // Names of the maximum length need more than the page. They get smaller, and stay complete.
    const lowest = Math.min(...this.#texts.map(({ y }) => y))
    const scale = lowest < bottom ? (top - bottom) / (top - lowest) : 1
    return writePdf({ ...about, ...content, scale: { factor: scale, around_y: top } })
  }

  #draw(shaped: ShapedText, { x, size, gray = 0, align }: TextStyle): void {
    const from = align === 'right' ? x - (shaped.width * size) / 1000 : x
    this.#texts.push({ shaped, x: from, y: this.y, size, gray })
  }

  #shape(text: string, { weight = 400 }: Pick<TextStyle, 'weight'>): ShapedText {
    return shapeText(text, this.#language, weight)
  }

  #wrap(text: string, style: TextStyle & { width: number }): string[] {
    const fits = (line: string) =>
      (this.#shape(line, style).width * style.size) / 1000 <= style.width
    const lines: string[] = []
    let line = ''
    for (const part of partsOf(text, fits)) {
      if (fits(line + part.trimEnd())) line += part
      else {
        lines.push(line.trimEnd())
        line = part
      }
    }
    return [...lines, line.trimEnd()]
  }
}

const words = new Intl.Segmenter('en', { granularity: 'word' })
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Where a line may end: between words, and within one that is wider than the line. */
function partsOf(text: string, fits: (text: string) => boolean): string[] {
  const parts: string[] = []
  for (const { segment, isWordLike } of words.segment(text)) {
    const joins = !isWordLike && parts.length > 0 && /^[\s\p{P}]$/u.test(segment)
    if (joins) parts[parts.length - 1] += segment
    else if (fits(segment)) parts.push(segment)
    else parts.push(...[...graphemes.segment(segment)].map((one) => one.segment))
  }
  return parts
}
