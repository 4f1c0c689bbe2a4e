// Notifies systemd that a unit with Type=notify is ready. Node.js cannot send datagrams to a Unix
// socket, so systemd's program does it; the unit needs NotifyAccess=all.

import { execFile } from 'node:child_process'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'

export function notifySystemd({ notify_socket }: Config, log: Logger): void {
  if (notify_socket === undefined) return
  execFile('systemd-notify', ['--ready'], { timeout: 10_000 }, (error) => {
    if (error === null) return
    log.warn({ err: error }, 'systemd was not notified that Florin is ready: use Type=exec')
  })
}
