import { ActionIcon, Menu, TextInput, Tooltip } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { IconBraces } from '@tabler/icons-react'
import { useRef } from 'react'
import type { Component } from '#features/templates/contract.ts'
import { slotLabel, slotsOf } from '#features/templates/values.ts'
import { useMergeTags } from './merge-tags.ts'

const TAG_NAMES: Record<string, string> = {
	firstName: 'First name',
	lastName: 'Last name',
	number: 'Phone number',
}

interface VariableInputsProps {
	components: readonly Component[]
	inputProps: (path: string) => GetInputPropsReturnType
}

/** The values of all that a template leaves open. */
export function VariableInputs({ components, inputProps }: VariableInputsProps) {
	return slotsOf(components).map((slot) => (
		<VariableInput
			key={slot.key}
			label={slotLabel(slot, components)}
			inputProps={inputProps(`variables.${slot.key}`)}
		/>
	))
}

/** The value of one variable: the same text for all recipients, or with merge tags. */
function VariableInput({ label, inputProps }: { label: string; inputProps: GetInputPropsReturnType }) {
	const value = String(inputProps.value ?? '')
	const input = useRef<HTMLInputElement>(null)
	const insert = (tag: string) => {
		const node = input.current
		const from = node?.selectionStart ?? value.length
		const to = node?.selectionEnd ?? from
		const written = `{{${tag}}}`
		const change = inputProps.onChange as (value: string) => void
		change(value.slice(0, from) + written + value.slice(to))
		// After the menu has closed, typing goes on behind the tag, unless it goes on in another field by then.
		setTimeout(() => {
			const focused = document.activeElement
			if (focused !== document.body && !node?.parentElement?.contains(focused)) return
			node?.focus()
			node?.setSelectionRange(from + written.length, from + written.length)
		}, 200)
	}
	return (
		<TextInput
			ref={input}
			label={label}
			required
			maxLength={1024}
			placeholder="A text, or a merge tag such as {{firstName}}"
			rightSection={<TagMenu label={label} onInsert={insert} />}
			{...inputProps}
			value={value}
		/>
	)
}

function TagMenu({ label, onInsert }: { label: string; onInsert: (tag: string) => void }) {
	const tags = useMergeTags()
	return (
		<Menu>
			<Menu.Target>
				<Tooltip label="Insert merge tag">
					<ActionIcon size={28} color="gray" aria-label={`Insert merge tag into ${label}`}>
						<IconBraces size={18} aria-hidden />
					</ActionIcon>
				</Tooltip>
			</Menu.Target>
			{/* A file may have hundreds of columns. */}
			<Menu.Dropdown className="scrolls" mah={320}>
				<Menu.Label>Insert merge tag</Menu.Label>
				{tags.map((tag) => (
					<Menu.Item key={tag} onClick={() => onInsert(tag)}>
						{TAG_NAMES[tag] ?? tag} <code>{`{{${tag}}}`}</code>
					</Menu.Item>
				))}
			</Menu.Dropdown>
		</Menu>
	)
}
