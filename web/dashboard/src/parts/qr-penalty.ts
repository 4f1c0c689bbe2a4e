// How hard a QR code is to read, by the four rules of ISO/IEC 18004.

/** The less the better. */
export function penaltyOf(rows: boolean[][]): number {
  const columns = rows.map((_, at) => rows.map((row) => row[at]!))
  const lines = [...rows, ...columns].map((line) => line.map((dark) => (dark ? '1' : '0')).join(''))
  const along = lines.map((line) => runs(line) + lookalikes(line))
  return along.reduce((total, one) => total + one, 0) + squares(rows) + imbalance(rows)
}

/** Five or more of the same in a line: 3, and one more for each further. */
function runs(line: string): number {
  return (line.match(/0{5,}|1{5,}/g) ?? []).reduce((total, run) => total + run.length - 2, 0)
}

/** What a reader could take for a finder, with light on one side of it. */
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

/** Ten for each whole 5 % that dark and light are away from half and half. */
function imbalance(rows: boolean[][]): number {
  const dark = rows.flat().filter(Boolean).length / rows.length ** 2
  return 10 * Math.floor(Math.abs(dark - 0.5) * 20)
}
