import { Anchor, Select } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { segments as segmentCalls } from '#features/audiences/segment-contract.ts'
import { contacts } from '#features/contacts/contract.ts'
import { contactPaths } from '#features/contacts/paths.ts'
import { plural } from '#lib/numbers.ts'
import { query } from '#lib/web/query.ts'
import { Link } from '#lib/web/router/link.tsx'
import { choicesOf } from '#lib/web/ui/form/choices.ts'
import { useFirstContacts } from '../use-estimate.ts'
import type { CampaignFields } from './campaign-fields.ts'
import styles from '../create-campaign.module.css'

interface ListChoiceProps {
	form: UseFormReturnType<CampaignFields>
}

export function SegmentChoice({ form }: ListChoiceProps) {
	const segments = useQuery(query(segmentCalls.list)).data?.segments
	const { segmentId } = form.values
	return (
		<div className={styles.indented}>
			<Select
				label="Segment"
				placeholder={segments?.length === 0 ? 'You have no segments yet' : 'Choose a segment'}
				required
				searchable
				nothingFoundMessage="No matching segment"
				data={choicesOf(segments ?? [])}
				description={
					<Anchor component={Link} to={contactPaths.segments} inherit underline="always">
						Edit segments
					</Anchor>
				}
				{...form.getInputProps('segmentId')}
				value={segmentId || null}
				onChange={(segment: string | null) => form.setFieldValue('segmentId', segment ?? '')}
			/>
		</div>
	)
}

export function GroupChoice({ form }: ListChoiceProps) {
	const groups = useQuery(query(contacts.groups, { query: { limit: 1000 } })).data?.contactGroups
	const { selectedGroup } = form.values
	const { data, isError } = useFirstContacts(selectedGroup)
	const count = selectedGroup ? (data?.total ?? (isError ? null : undefined)) : 0
	return (
		<div className={styles.indented}>
			<Select
				label="Contact group"
				placeholder={groups?.length === 0 ? 'You have no groups yet' : 'Choose a group'}
				required
				searchable
				nothingFoundMessage="No matching group"
				data={choicesOf(groups ?? [])}
				description={
					<span aria-live="polite">
						{count === undefined ? 'Counting...' : count === null ? 'Not counted' : plural(count, 'contact')}
					</span>
				}
				{...form.getInputProps('selectedGroup')}
				value={selectedGroup || null}
				onChange={(group: string | null) => form.setFieldValue('selectedGroup', group ?? '')}
			/>
		</div>
	)
}
