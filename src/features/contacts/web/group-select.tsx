import { Select, type SelectProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { query } from '#lib/web/query.ts'
import { MissingPart } from '#lib/web/ui/feedback/load-error.tsx'
import { choicesOf, type Choice } from '#lib/web/ui/form/choices.ts'
import { contacts } from '../contract.ts'
import { allCustomFields } from './custom-fields.ts'

export const allGroups = query(contacts.groups, { query: { limit: 1000 } })

export const NO_GROUP = { value: '', label: 'No Group' }

interface GroupSelectProps extends Omit<SelectProps, 'data'> {
	/** Choices listed before the groups. */
	before?: readonly Choice[]
}

/** Renders a select of all groups. The select is empty while the groups are loading or when loading failed. */
export function GroupSelect({ before = [], ...rest }: GroupSelectProps) {
	const { data } = useQuery(allGroups)
	const groups = choicesOf(data?.contactGroups ?? [])
	return (
		<Select data={[...before, ...groups]} searchable limit={50} nothingFoundMessage="No matching group" {...rest} />
	)
}

/** Renders an error for groups, tags or fields that could not be loaded. */
export function MissingChoices() {
	return (
		<>
			<MissingPart message="The groups could not be loaded." readings={[useQuery(allGroups)]} />
			<MissingPart message="Tags and fields could not be loaded." readings={[useQuery(allCustomFields)]} />
		</>
	)
}
