import { Radio, Select, Stack } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { contacts } from '#features/contacts/contract.ts'
import { plural } from '#lib/numbers.ts'
import { query } from '#lib/web/query.ts'
import { FormSection } from '#lib/web/ui/form-section.tsx'
import type { CampaignFields } from './campaign-fields.ts'
import { useFirstContact } from './use-audience.ts'
import styles from './create-campaign.module.css'

interface AudienceChoiceProps {
	form: UseFormReturnType<CampaignFields>
}

export function AudienceChoice({ form }: AudienceChoiceProps) {
	const { audienceType, selectedGroup } = form.values
	const all = useFirstContact('').data?.total
	return (
		<FormSection number={3} title="Audience" done={audienceType === 'all' || selectedGroup !== ''}>
			<Radio.Group label="Who receives it" {...form.getInputProps('audienceType')}>
				<Stack gap={12} mt={8}>
					<Radio
						value="all"
						label="All contacts"
						description={all === undefined ? 'Everybody you keep' : plural(all, 'contact')}
					/>
					<Radio value="group" label="A contact group" description="Everybody in one of your groups" />
					<Radio value="file" label="An uploaded file" description="File upload comes with the next release" disabled />
				</Stack>
			</Radio.Group>
			{audienceType === 'group' && <GroupChoice form={form} />}
		</FormSection>
	)
}

function GroupChoice({ form }: AudienceChoiceProps) {
	const groups = useQuery(query(contacts.groups, { query: { limit: 1000 } })).data?.contactGroups
	const { selectedGroup } = form.values
	const { data } = useFirstContact(selectedGroup)
	const count = selectedGroup ? data?.total : 0
	return (
		<div className={styles.indented}>
			<Select
				label="Contact group"
				placeholder={groups?.length === 0 ? 'You have no groups yet' : 'Choose a group'}
				required
				searchable
				nothingFoundMessage="No group of this name"
				data={(groups ?? []).map(({ _id, name }) => ({ value: _id, label: name }))}
				description={<span aria-live="polite">{count === undefined ? 'Counting...' : plural(count, 'contact')}</span>}
				{...form.getInputProps('selectedGroup')}
				value={selectedGroup || null}
				onChange={(group: string | null) => form.setFieldValue('selectedGroup', group ?? '')}
			/>
		</div>
	)
}
