import { Select } from '@mantine/core'
import { MissingGroups } from './missing-groups.tsx'

const NO_GROUP = { value: '', label: 'No Group' }

interface GroupChoiceProps {
	groups: { value: string; label: string }[]
	/** Empty for none. */
	value: string
	onChange: (group: string) => void
}

/** The group that all contacts of a file go to. */
export function GroupChoice({ groups, value, onChange }: GroupChoiceProps) {
	return (
		<>
			<Select
				flex="1 1 220px"
				maw={320}
				label="Group (optional)"
				data={[NO_GROUP, ...groups]}
				allowDeselect={false}
				searchable
				limit={50}
				nothingFoundMessage="No matching group"
				value={value}
				onChange={(chosen) => onChange(chosen ?? '')}
			/>
			<MissingGroups />
		</>
	)
}
