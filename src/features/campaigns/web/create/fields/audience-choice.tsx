import { Anchor, Radio, Select, Stack } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import { segments as segmentCalls } from '#features/campaigns/segment-contract.ts'
import { contacts } from '#features/contacts/contract.ts'
import { contactPaths } from '#features/contacts/paths.ts'
import { plural } from '#lib/numbers.ts'
import { query } from '#lib/web/query.ts'
import { FormSection } from '#lib/web/ui/form-section.tsx'
import { choicesOf } from '#lib/web/ui/form/choices.ts'
import type { AudienceFile } from '../file/use-audience-file.ts'
import { useFirstContacts } from '../use-estimate.ts'
import type { CampaignFields } from './campaign-fields.ts'
import styles from '../create-campaign.module.css'

// Most campaigns go to contacts, and need not load what reads files.
const AudienceFileChoice = lazy(async () => ({
	default: (await import('../file/audience-file.tsx')).AudienceFileChoice,
}))

interface AudienceChoiceProps {
	form: UseFormReturnType<CampaignFields>
	audience: AudienceFile
}

export function AudienceChoice({ form, audience }: AudienceChoiceProps) {
	const { audienceType, selectedGroup, segmentId, templateId } = form.values
	const all = useFirstContacts('').data?.total
	const inGroup = useFirstContacts(selectedGroup).data?.total
	const sizes = {
		all,
		group: selectedGroup ? inGroup : 0,
		file: audience.analysis?.counts.valid,
		segment: segmentId ? 1 : 0,
	}
	return (
		<FormSection number={3} title="Audience" done={(sizes[audienceType] ?? 0) > 0}>
			<Radio.Group label="Who receives it" {...form.getInputProps('audienceType')}>
				<Stack gap={12} mt={8}>
					<Radio
						value="all"
						label="All contacts"
						description={all === undefined ? 'Everyone in your contacts' : plural(all, 'contact')}
					/>
					<Radio value="group" label="A contact group" description="Everyone in one of your groups" />
					<Radio value="segment" label="A segment" description="Everyone whom its rules choose when you send" />
					<Radio
						value="file"
						label="An uploaded file"
						description="A CSV or Excel file. Its columns can fill in your message"
					/>
				</Stack>
			</Radio.Group>
			{audienceType === 'group' && <GroupChoice form={form} />}
			{audienceType === 'segment' && <SegmentChoice form={form} />}
			{audienceType === 'file' && (
				<Suspense>
					<AudienceFileChoice
						audience={audience}
						error={form.errors['file']}
						templateId={templateId}
						onChange={() => form.clearFieldError('file')}
					/>
				</Suspense>
			)}
		</FormSection>
	)
}

function SegmentChoice({ form }: Omit<AudienceChoiceProps, 'audience'>) {
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
						Make and change segments
					</Anchor>
				}
				{...form.getInputProps('segmentId')}
				value={segmentId || null}
				onChange={(segment: string | null) => form.setFieldValue('segmentId', segment ?? '')}
			/>
		</div>
	)
}

function GroupChoice({ form }: Omit<AudienceChoiceProps, 'audience'>) {
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
