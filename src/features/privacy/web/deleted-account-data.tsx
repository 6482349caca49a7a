import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDownload } from '@tabler/icons-react'
import { NO_PROOF, ProofField } from '#features/auth/web/proof-field.tsx'
import { call } from '#lib/web/api.ts'
import { saveFile } from '#lib/web/files/save-file.ts'
import { useSchemaForm } from '#lib/web/form.ts'
import { toast } from '#lib/web/toast.tsx'
import { FormButtons } from '#lib/web/ui/form/form-buttons.tsx'
import { FormDialog } from '#lib/web/ui/form/form-dialog.tsx'
import { Form } from '#lib/web/ui/form/form.tsx'
import { DeletedAccountBody, privacy } from '../contract.ts'

interface DeletedAccountDataProps {
	userId: string
	name: string
}

/**
 * Renders the button and dialog that download all data of a deleted user as a zip, after the admin has proved their
 * identity.
 */
export function DeletedAccountData({ userId, name }: DeletedAccountDataProps) {
	const [opened, { open, close }] = useDisclosure(false)
	return (
		<>
			<Button
				variant="default"
				leftSection={<IconDownload size={16} aria-hidden />}
				aria-label={`Download data of ${name}`}
				onClick={open}
			>
				Download data
			</Button>
			<FormDialog dialog={{ opened, close }} title={`Download data of ${name}`}>
				<DownloadForm userId={userId} onDone={close} />
			</FormDialog>
		</>
	)
}

function DownloadForm({ userId, onDone }: { userId: string; onDone: () => void }) {
	const state = useSchemaForm({
		schema: DeletedAccountBody,
		initialValues: NO_PROOF,
		submit: (body) => call(privacy.deletedAccount, { params: { userId }, body }),
		saved: async (file) => {
			saveFile(file)
			onDone()
		},
		failed: (error) => toast.failure(error, 'Failed to download the data'),
	})
	return (
		<Form state={state}>
			<p>
				The file contains the contacts and chats of the user. We email the user about this download, and the audit trail
				records it.
			</p>
			<ProofField form={state.form} />
			<FormButtons>Download</FormButtons>
		</Form>
	)
}
