import { Box, TextInput } from '@mantine/core'
import { useState } from 'react'
import { userSearchPath } from '#features/users/paths.ts'
import { useNavigate } from '#lib/web/router/hooks.ts'

/** Renders a search that lists users by name or email on Enter. */
export function AdminSearch() {
	const navigate = useNavigate()
	const [text, setText] = useState('')
	return (
		<Box component="search" flex="0 1 280px" miw={0}>
			<form
				onSubmit={(event) => {
					event.preventDefault()
					void navigate(userSearchPath(text.trim()))
				}}
			>
				<TextInput
					type="search"
					aria-label="Search users"
					placeholder="Search users"
					value={text}
					onChange={(event) => setText(event.currentTarget.value)}
					onKeyDown={(event) => event.key === 'Escape' && setText('')}
				/>
			</form>
		</Box>
	)
}
