// The penalty score of a QR code, by the four rules of ISO/IEC 18004. Lower is better.

export function penaltyOf(rows: boolean[][]): number {
  const columns = rows.map((_, at) => rows.map((row) => row[at]!))
  const lines = [...rows, ...columns].map((line) => line.map((dark) => (dark ? '1' : '0')).join(''))
  const along = lines.map((line) => runs(line) + lookalikes(line))
  return along.reduce((total, one) => total + one, 0) + squares(rows) + imbalance(rows)
}

/** Runs of five or more equal modules: 3, plus 1 for each further module. */
function runs(line: string): number {
  return (line.match(/0{5,}|1{5,}/g) ?? []).reduce((total, run) => total + run.length - 2, 0)
}

/** Patterns that look like a finder with a light area on one side. */
function lookalikes(line: string): number {
  return 40 * [...line.matchAll(/(?=00001011101|10111010000)/g)].length
}

function squares(rows: boolean[][]): number {
  let count = 0
  for (let row = 1; row < rows.length; row++) {
    for (let column = 1; column < rows.length; column++) {
      const dark = rows[row]![column]
      const same =
        rows[row - 1]![column] === dark &&
        rows[row]![column - 1] === dark &&
        rows[row - 1]![column - 1] === dark
      if (same) count += 1
    }
  }
  return 3 * count
}

/** 10 for every full 5 % by which the share of dark modules differs from 50 %. */
function imbalance(rows: boolean[][]): number {
  const dark = rows.flat().filter(Boolean).length / rows.length ** 2
  return 10 * Math.floor(Math.abs(dark - 0.5) * 20)
}
