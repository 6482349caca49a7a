import { Box } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import type { Note } from '#features/customers/contract.ts'
import { formatClock, formatDateTime } from '#lib/dates.ts'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import styles from './note-bubble.module.css'

/** Renders a note between the messages, in a form that no message has: across the thread, with a lock and the word "Note". */
export function NoteBubble({ note: { text, author, createdAt }, follows }: { note: Note; follows: boolean }) {
	return (
		<div className={styles.line} data-follows={follows}>
			<article className={styles.note}>
				<p className={styles.head}>
					<IconLock size={14} aria-hidden />
					<b>Note</b>
					<span className="grow one-line">{author && <UserText text={`by ${author}`} />}</span>
					<time dateTime={createdAt} title={formatDateTime(createdAt)}>
						{formatClock(Date.parse(createdAt))}
					</time>
				</p>
				<Box className="whole" style={{ whiteSpace: 'pre-wrap' }}>
					<UserText text={text} />
				</Box>
				<p className={styles.head}>Not sent to the customer.</p>
			</article>
		</div>
	)
}
