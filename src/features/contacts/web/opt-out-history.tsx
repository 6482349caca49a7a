import { useQuery } from '@tanstack/react-query'
import { query } from '#lib/web/query.ts'
import { MissingPart } from '#lib/web/ui/feedback/load-error.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { contacts } from '../contract.ts'
import { OPT_OUT_REASONS } from './contact-columns.tsx'
import styles from './opt-out-history.module.css'

/** When and why the contact's number opted out, and when that was undone, the latest first. Nothing where it never did. */
export function OptOutHistory({ contactId }: { contactId: string }) {
	const changes = useQuery(query(contacts.optOuts, { params: { id: contactId } }))
	const { data } = changes
	if (!data) return <MissingPart message="Failed to fetch the opt-out history." readings={[changes]} />
	if (data.changes.length === 0) return null
	return (
		<section>
			<h3 className={styles.title}>Opt-out history</h3>
			<div className={styles.scroll} tabIndex={0} role="group" aria-label="Opt-out history">
				<ul className={styles.list}>
					{data.changes.map(({ optedOut, because, changedAt }) => (
						<li key={changedAt}>
							{optedOut ? 'Opted out of marketing' : 'Receives marketing again'}
							<span className={styles.why}>
								<DateTime iso={changedAt} />, {OPT_OUT_REASONS[because]}
							</span>
						</li>
					))}
				</ul>
			</div>
		</section>
	)
}
