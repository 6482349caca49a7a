import { Box } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { contacts } from '#features/contacts/contract.ts'
import { query } from '#lib/web/query.ts'
import { MissingPart } from '#lib/web/ui/feedback/load-error.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { OPT_OUT_REASONS } from '../contact-columns.tsx'

/** Height in pixels; cuts through an entry, so that the list is seen to continue. */
const CUT_PX = 196

/** Lists when and why the contact's number opted out or in, the latest first. Renders nothing without a history. */
export function OptOutHistory({ contactId }: { contactId: string }) {
	const changes = useQuery(query(contacts.optOuts, { params: { id: contactId } }))
	const { data } = changes
	if (!data) return <MissingPart message="Failed to fetch the opt-out history." readings={[changes]} />
	if (data.changes.length === 0) return null
	return (
		<section>
			<Box component="h3" m="0 0 4px" fz={14} fw={600}>
				Opt-out history
			</Box>
			<Box className="framed scrolls" mah={CUT_PX} tabIndex={0} role="group" aria-label="Opt-out history">
				<ul className="bare">
					{data.changes.map(({ optedOut, because, changedAt }, index) => (
						<Box component="li" key={changedAt} px={12} py={8} className={index === 0 ? undefined : 'ruled'}>
							{optedOut ? 'Opted out of marketing' : 'Receives marketing again'}
							<Box component="span" display="block" fz={13} c="dimmed">
								<DateTime iso={changedAt} />, {OPT_OUT_REASONS[because]}
							</Box>
						</Box>
					))}
				</ul>
			</Box>
		</section>
	)
}
