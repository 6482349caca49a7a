import { readdir, readFile } from 'node:fs/promises'

/** Returns the mails to this address, oldest first. Without a mail server the product writes mails to files. */
export async function mailsTo({ env }: { env: { DATA_DIR: string } }, email: string): Promise<string[]> {
	const outbox = `${env.DATA_DIR}/outbox`
	const files = (await readdir(outbox).catch(() => [])).filter((file) => file.endsWith('.eml')).toSorted()
	const mails = await Promise.all(files.map((file) => readFile(`${outbox}/${file}`, 'utf8')))
	// A folded line ends with an equals sign.
	return mails.filter((mail) => mail.includes(`To: ${email}\n`)).map((mail) => mail.replace(/=\n/g, ''))
}

/** Returns the token of the password link in a mail; empty without such a link. */
export function resetTokenOf(mail = ''): string {
	return /\/reset#([\w-]{43})$/m.exec(mail)?.[1] ?? ''
}
