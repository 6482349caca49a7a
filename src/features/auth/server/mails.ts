import { transaction, type Db } from '#lib/server/db.ts'
import { retryDeadlocks } from '#lib/server/deadlocks.ts'
import { jobKind, type Jobs } from '#lib/server/jobs.ts'
import type { Mail, Mailer } from '#lib/server/mail.ts'
import { randomToken, sha256 } from '#lib/server/secrets.ts'
import { authPaths } from '../paths.ts'
import * as queries from './queries.ts'
import { insertReset, lockResets } from './reset-queries.ts'

const HOUR_SECONDS = 3600
/** Reset mails per address and hour. */
const MAX_LINKS = 5

/**
 * Holds the address alone, known or not, so that asking takes the same steps for every address and the queue never holds
 * a token. A mail server that is down is tried again for about an hour.
 */
export const resetMailJob = jobKind<{ email: string }>('reset-mail', { retryLimit: 40, retryDelayMax: 120 })

export interface MailContext {
	db: Db
	mailer: Mailer
	env: { PUBLIC_URL: string }
}

/** Makes a link for whoever has this address and mails it; run again after a crash, it mails another one. */
export async function sendResetMail(context: MailContext, { email }: { email: string }): Promise<void> {
	const { db, mailer, env } = context
	const person = await queries.findByEmail(db, email)
	if (!person?.isActive) return
	const token = randomToken()
	const reset = { tokenHash: sha256(token), userId: person.id, seconds: HOUR_SECONDS, most: MAX_LINKS }
	const isAdded = await retryDeadlocks(() =>
		transaction(db, async (sql) => {
			await lockResets(sql, person.id)
			return insertReset(sql, reset)
		}),
	)
	if (!isAdded) return
	await mailer.send(resetMail(person, `${env.PUBLIC_URL.replace(/\/$/, '')}${authPaths.reset}#${token}`))
}

/** The token is in the fragment (#), which browsers do not send, so that it reaches no log on the way. */
// Lines stay short, so that mail programs and the .eml file show the link in one piece.
function resetMail(person: { name: string; email: string }, link: string): Mail {
	return {
		to: { name: person.name, address: person.email },
		subject: 'Reset your password',
		text: [
			`Hello ${person.name},`,
			'Somebody asked to reset the password of your account for WhatsApp\nBulk Message. To choose a new one, open this link within one hour:',
			link,
			'It works once. If you did not ask for this, ignore this email:\nyour password stays unchanged.',
			'',
		].join('\n\n'),
	}
}

/** Sends the mails of this feature in this process. */
export async function startAccountMails(context: MailContext & { jobs: Jobs }): Promise<void> {
	await context.jobs.work(resetMailJob, (job) => sendResetMail(context, job))
}
