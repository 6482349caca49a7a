import { randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Transporter } from 'nodemailer'

interface Mail {
	/** An address without a name, since users type names. */
	to: string
	subject: string
	text: string
}

/** Delivers mails. Call from a background job, so that a mail server that is down or a crash only delays them. */
export interface Mailer {
	send(mail: Mail): Promise<void>
	close(): void
}

export interface MailerOptions {
	/** URL such as smtp://user:password@host:587. Undefined writes mails as files to `outbox`. */
	smtpUrl: string | undefined
	outbox: string
	from: string
}

export function createMailer({ smtpUrl, outbox, from }: MailerOptions): Mailer {
	return smtpUrl ? createSmtpMailer(smtpUrl, from) : createOutboxMailer(outbox, from)
}

// Imports nodemailer with the first mail: it takes a tenth of the start time, and most processes send none.
const nodemailer = () => import('nodemailer')

function createSmtpMailer(url: string, from: string): Mailer {
	let opened: Promise<Transporter> | undefined
	const open = async () => (await nodemailer()).createTransport(url, { from })
	return {
		async send(mail) {
			const transport = await (opened ??= open())
			await transport.sendMail(mail)
		},
		close: () => void opened?.then((transport) => transport.close()),
	}
}

/** Writes each mail as an .eml file, readable only by the process's system user. */
function createOutboxMailer(outbox: string, from: string): Mailer {
	return {
		async send(mail) {
			const { createTransport } = await nodemailer()
			const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' }, { from })
			const { message } = await transport.sendMail(mail)
			const stamp = new Date().toISOString().replace(/[:.]/g, '-')
			const path = join(outbox, `${stamp}-${randomUUID().slice(0, 8)}.eml`)
			await mkdir(outbox, { recursive: true, mode: 0o700 })
			await writeFile(`${path}.part`, message, { mode: 0o600 })
			await rename(`${path}.part`, path)
		},
		close() {},
	}
}
