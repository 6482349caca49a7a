import { Autocomplete, Button, Group, Popover } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { MAX_TAG_LENGTH } from '#features/contacts/custom-fields.ts'
import { withoutOverrides } from '#lib/text/bidi.ts'
import { lengthError } from '#lib/web/limited.ts'
import { useCustomFields } from '../custom-fields.ts'

interface TagMenuProps {
	isBusy: boolean
	onTag: (tag: string, isAdded: boolean) => void
}

/**
 * Renders the menu that adds a tag to the selected contacts or removes it. An unknown tag is created when it is added.
 */
export function TagMenu({ isBusy, onTag }: TagMenuProps) {
	const { tags } = useCustomFields()
	const [opened, { toggle, close }] = useDisclosure(false)
	const [typed, setTyped] = useState('')
	const tag = typed.trim()
	const error = lengthError(MAX_TAG_LENGTH, tag)
	const isUnusable = tag === '' || error !== null
	const choose = (isAdded: boolean) => {
		close()
		setTyped('')
		onTag(tag, isAdded)
	}
	return (
		<Popover opened={opened} onClose={close} trapFocus returnFocus position="bottom-start" width={280}>
			<Popover.Target>
				<Button variant="default" onClick={toggle} disabled={isBusy}>
					Tag...
				</Button>
			</Popover.Target>
			<Popover.Dropdown>
				<Autocomplete
					label="Tag"
					placeholder="VIP"
					data={tags.map(({ name }) => withoutOverrides(name))}
					limit={50}
					openOnFocus={false}
					comboboxProps={{ withinPortal: false }}
					value={typed}
					error={error}
					onChange={setTyped}
				/>
				<Group gap={8} mt={12}>
					<Button disabled={isUnusable} onClick={() => choose(true)}>
						Add tag
					</Button>
					<Button variant="default" disabled={isUnusable} onClick={() => choose(false)}>
						Remove tag
					</Button>
				</Group>
			</Popover.Dropdown>
		</Popover>
	)
}
