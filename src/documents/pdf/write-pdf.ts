// Writes a PDF file of one page: lines, and text in one embedded font. The same content gives the
// same bytes: nothing is compressed, because the output of zlib differs between versions, and dates
// are those of the content.

import { hash } from 'node:crypto'
import type { PositionedGlyph, ShapedText } from './shape-text.ts'
import { ascent, descent, FontSubset } from './subset-font.ts'

/** A4, in points. */
export const page_size = { width: 595, height: 842 }

interface PdfContent {
  title: string
  author: string
  language: string
  created_at: Date
  texts: PdfText[]
  lines: PdfLine[]
  scale: { factor: number; around_y: number }
}

export interface PdfText {
  shaped: ShapedText
  x: number
  /** Of the baseline, from the bottom of the page. */
  y: number
  size: number
  /** 0 is black. */
  gray: number
}

export interface PdfLine {
  from_x: number
  to_x: number
  y: number
  gray: number
}

export function writePdf(content: PdfContent): Buffer {
  const font = new FontSubset()
  const operators = [
    ...scaleBy(content.scale),
    ...content.lines.map(drawLine),
    ...content.texts.map((text) => drawText(text, font)),
  ]
  const { width, height } = page_size
  return writeObjects(content, [
    `<< /Type /Catalog /Pages 2 0 R /Lang ${literal(content.language)}
/ViewerPreferences << /DisplayDocTitle true >> >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents 4 0 R
/Resources << /Font << /F1 5 0 R >> >> >>`,
    stream('', Buffer.from(operators.join('\n'), 'latin1')),
    `<< /Type /Font /Subtype /Type0 /BaseFont /${font_name} /Encoding /Identity-H
/DescendantFonts [6 0 R] /ToUnicode 9 0 R >>`,
    `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /${font_name} /CIDToGIDMap /Identity
/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>
/FontDescriptor 7 0 R /DW 1000 /W [0 [${font.glyphs.map((one) => one.width).join(' ')}]] >>`,
    `<< /Type /FontDescriptor /FontName /${font_name} /Flags 4 /FontBBox [-1000 -1000 3000 2000]
/ItalicAngle 0 /Ascent ${ascent} /Descent ${descent} /CapHeight 714 /StemV 80
/FontFile2 8 0 R >>`,
    fontFile(font.toBytes()),
    stream('', Buffer.from(toUnicode(font), 'latin1')),
    `<< /Title ${literal(content.title)} /Author ${literal(content.author)} /Producer (Florin)
/CreationDate (${dateText(content.created_at)}) >>`,
  ])
}

// The prefix marks a font that is not complete. It has six characters.
const font_name = 'FLORIN+NotoSans'
const info = '10 0 R'

function fontFile(bytes: Buffer): Buffer {
  return stream(`/Length1 ${bytes.length} `, bytes)
}

function scaleBy({ factor, around_y }: PdfContent['scale']): string[] {
  if (factor === 1) return []
  const by = number(factor, 10_000)
  return [`${by} 0 0 ${by} 0 ${number(around_y * (1 - factor))} cm`]
}

function drawLine({ from_x, to_x, y, gray }: PdfLine): string {
  return `${gray} G 0.6 w ${number(from_x)} ${number(y)} m ${number(to_x)} ${number(y)} l S`
}

function drawText({ shaped, x, y, size, gray }: PdfText, font: FontSubset): string {
  const at = `${number(x)} ${number(y)} Td`
  const shown = `${gray} g BT /F1 ${size} Tf ${at} ${showGlyphs(shaped.glyphs, size, font)} ET`
  if (!shaped.needs_text) return shown
  // What a reader copies or searches for.
  return `/Span << /ActualText ${literal(shaped.text)} >> BDC ${shown} EMC`
}

/** A number in TJ moves the next glyph to the left, in thousandths of the font size. */
function showGlyphs(glyphs: PositionedGlyph[], size: number, font: FontSubset): string {
  let shown = '['
  let rise = 0
  for (const placed of glyphs) {
    const { x_offset, y_offset, advance } = placed
    if (y_offset !== rise) {
      shown += `] TJ ${number((y_offset * size) / 1000)} Ts [`
      rise = y_offset
    }
    const id = font.add(placed)
    shown += `${shift(x_offset)}<${hex(id)}>${shift(advance - x_offset - font.widthOf(id))}`
  }
  return `${shown}] TJ${rise === 0 ? '' : ' 0 Ts'}`
}

function shift(right: number): string {
  return Math.abs(right) < 0.5 ? '' : ` ${number(-right)} `
}

/** The text of each glyph, for readers who copy or search. */
function toUnicode({ glyphs }: FontSubset): string {
  const entries = glyphs.flatMap(({ text }, id) =>
    text === '' ? [] : [`<${hex(id)}> <${utf16(text)}>`],
  )
  const blocks: string[] = []
  for (let at = 0; at < entries.length; at += block_max) {
    const block = entries.slice(at, at + block_max)
    blocks.push(`${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`)
  }
  return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <FFFF>
endcodespacerange
${blocks.join('\n')}
endcmap
CMapName currentdict /CMap defineresource pop
end
end`
}

// A limit of the file format.
const block_max = 100

function writeObjects({ created_at }: PdfContent, objects: (string | Buffer)[]): Buffer {
  // The comment marks the file as binary.
  const parts = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')]
  let length = parts[0]!.length
  const offsets: number[] = []
  objects.forEach((object, at) => {
    offsets.push(length)
    const head = Buffer.from(`${at + 1} 0 obj\n`)
    const body = Buffer.concat([head, Buffer.from(object), Buffer.from('\nendobj\n')])
    parts.push(body)
    length += body.length
  })
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
  const id = hash('sha256', Buffer.concat([...parts, Buffer.from(created_at.toISOString())]))
  const trailer = `xref
0 ${objects.length + 1}
0000000000 65535 f 
${entries.join('')}trailer
<< /Size ${objects.length + 1} /Root 1 0 R /Info ${info}
/ID [<${id.slice(0, 32)}> <${id.slice(0, 32)}>] >>
startxref
${length}
%%EOF
`
  return Buffer.concat([...parts, Buffer.from(trailer)])
}

function stream(entries: string, bytes: Buffer): Buffer {
  const head = `<< ${entries}/Length ${bytes.length} >>\nstream\n`
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from('\nendstream')])
}

/** A text string in UTF-16 with a byte order mark. */
function literal(text: string): string {
  return `<FEFF${utf16(text)}>`
}

function utf16(text: string): string {
  return Buffer.from(text, 'utf16le').swap16().toString('hex')
}

function hex(id: number): string {
  return id.toString(16).padStart(4, '0')
}

function number(value: number, precision = 100): string {
  return String(Math.round(value * precision) / precision)
}

function dateText(at: Date): string {
  return `D:${at.toISOString().replace(/\D/g, '').slice(0, 14)}Z`
}
