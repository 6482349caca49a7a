import { ActionIcon } from '@mantine/core'
import { IconPaperclip } from '@tabler/icons-react'
import { useRef } from 'react'
import { ACCEPTED } from '#features/replies/web/attachment.ts'

export function FilePicker({ onFile }: { onFile: (file: File) => void }) {
	const picker = useRef<HTMLInputElement>(null)
	return (
		<>
			<input
				ref={picker}
				type="file"
				accept={ACCEPTED}
				hidden
				aria-label="File to attach"
				onChange={({ currentTarget }) => {
					const [chosen] = currentTarget.files ?? []
					if (chosen) onFile(chosen)
					// Clears the input, so that the same file can be chosen again.
					currentTarget.value = ''
				}}
			/>
			<ActionIcon
				title="Attach a file"
				color="gray"
				size={40}
				aria-label="Attach a file"
				onClick={() => picker.current?.click()}
			>
				<IconPaperclip size={20} aria-hidden />
			</ActionIcon>
		</>
	)
}
