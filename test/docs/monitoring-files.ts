// Reads the Grafana dashboard and the alert rules of docs/monitoring/.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = new URL('../../docs/monitoring/', import.meta.url)

export const dashboard_path = fileURLToPath(new URL('florin-dashboard.json', folder))
export const alerts_path = fileURLToPath(new URL('florin-alerts.yml', folder))

export interface Panel {
  id: number
  title: string
  description?: string
  type: string
  gridPos: { x: number; y: number; w: number; h: number }
  targets?: { expr: string }[]
}

interface Dashboard {
  panels: Panel[]
  annotations: { list: { name: string; expr?: string }[] }
  /** The query of the data source is text, the others are those of a variable editor. */
  templating: { list: { name: string; query: string | { query: string } }[] }
}

interface Expression {
  /** The title of its panel, or the name of its annotation. */
  title: string
  expr: string
}

export function readDashboard(): { dashboard: Dashboard; expressions: Expression[] } {
  const dashboard: Dashboard = JSON.parse(readFileSync(dashboard_path, 'utf8'))
  const of_panels = dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ title, expr })),
  )
  const of_annotations = dashboard.annotations.list.flatMap(({ name: title, expr }) =>
    expr === undefined ? [] : [{ title, expr }],
  )
  return { dashboard, expressions: [...of_panels, ...of_annotations] }
}

/** From the YAML by its indentation: the file has one group of rules. */
export function readAlerts(): { alert: string; expr: string }[] {
  const text = readFileSync(alerts_path, 'utf8')
  return text
    .split(/^ {6}- alert: /m)
    .slice(1)
    .map((rule) => {
      const [, expr] = /^ {8}expr: (.+?)(?=^ {8}\w)/ms.exec(rule)!
      return { alert: /^\w+/.exec(rule)![0], expr: expr!.replace(/^\|/, '').trim() }
    })
}
