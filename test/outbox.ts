import { readdir, readFile } from 'node:fs/promises'

/** The mails that were written to this address where no mail server is set, the oldest first. */
export async function mailsTo({ env }: { env: { DATA_DIR: string } }, email: string): Promise<string[]> {
	const outbox = `${env.DATA_DIR}/outbox`
	const files = (await readdir(outbox).catch(() => [])).filter((file) => file.endsWith('.eml')).toSorted()
	const mails = await Promise.all(files.map((file) => readFile(`${outbox}/${file}`, 'utf8')))
	// A long line is folded behind an equals sign.
	return mails.filter((mail) => mail.includes(`To: ${email}\n`)).map((mail) => mail.replace(/=\n/g, ''))
}

/** Returns the token of the link in a mail that lets its reader set a password; empty without such a link. */
export function resetTokenOf(mail = ''): string {
	return /\/reset#([\w-]{43})$/m.exec(mail)?.[1] ?? ''
}
